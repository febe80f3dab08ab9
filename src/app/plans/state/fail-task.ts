import { ok, type Result } from '../../../lib/result.ts';
import type { TaskRow } from '../../../model/plan/task-row.ts';
import { failTask as failed, type TaskError } from '../../../model/plan/task-state.ts';
import type { Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import { logActivity } from '../activity-log.ts';
import type { FoundPlan } from '../find-plan.ts';
import { writeResult } from '../task-result.ts';
import { changeTask } from './changed.ts';
import { boardOfNodes } from './plan-status.ts';
import { putAside } from './put-aside.ts';
import { taskInHand } from './required-task.ts';
import { oneAtATime } from './task-target.ts';

export interface FailedTask {
  readonly row: TaskRow;
  /** Files that are as they were before the task was started. */
  readonly restored: readonly string[];
  /** Where its work is kept; null where it had done nothing. */
  readonly rescue: string | null;
  readonly look: string | null;
  /** Tasks that cannot be done now. */
  readonly blocked: readonly string[];
}

/** Puts the task's files back, its work aside, and says what can no longer be done. */
export function failTask(
  tutti: Tutti,
  found: FoundPlan,
  id: string,
  error: TaskError,
): Promise<Result<FailedTask, Refusal>> {
  return oneAtATime(tutti, found.plan.name, id, () => given(tutti, found, id, error));
}

async function given(
  tutti: Tutti,
  { plan, paths }: FoundPlan,
  id: string,
  error: TaskError,
): Promise<Result<FailedTask, Refusal>> {
  const running = taskInHand(tutti, plan.name, id);
  if (!running.ok) return running;
  const back = await putAside(tutti, plan, running.value);
  if (!back.ok) return back;
  const { restored, rescue, look } = back.value;
  const ended = await changeTask(tutti, plan.name, id, ({ state }) =>
    failed(state, { endedAt: tutti.clock.wall(), error, rescue }),
  );
  if (!ended.ok) return ended;
  writeResult(tutti, plan.name, ended.value);
  const { by } = running.value.state;
  const message = `${id}: ${error.category}: ${error.message}`;
  await logActivity(tutti, paths, { level: 'ERROR', agent: by, event: 'task-failed', message });
  const { blocked } = boardOfNodes(tutti.queries.plans.nodes(plan.name));
  const stuck = [...blocked].filter(([, cause]) => cause === id).map(([each]) => each);
  return ok({ row: ended.value, restored, rescue, look, blocked: stuck });
}
