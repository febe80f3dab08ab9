import { err, ok, type Result } from '../../../lib/result.ts';
import type { TaskRow } from '../../../model/plan/task-row.ts';
import type { TaskError } from '../../../model/plan/task-state.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import type { FoundPlan } from '../find-plan.ts';
import { endTask } from '../work/end-task.ts';
import { boardOfNodes } from './plan-status.ts';
import { putAside } from './put-aside.ts';
import { lookAtTask, taskInHand } from './required-task.ts';
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
  { plan }: FoundPlan,
  id: string,
  error: TaskError,
): Promise<Result<FailedTask, Refusal>> {
  const running = await taskInHand(tutti, plan.name, id, 'fail');
  if (!running.ok) return running;
  const back = await putAside(tutti, plan, running.value);
  if (!back.ok) return back;
  const { restored, rescue, look } = back.value;
  const { by, attempt, since } = running.value.state;
  const ended = await endTask(
    tutti,
    { plan: plan.name, id },
    { kind: 'agent', by },
    {
      attempt: { attempt, since, isRepeated: false },
      end: { at: 'failed', endedAt: tutti.clock.wall(), error, rescue },
    },
  );
  if (!ended.ok) return err(refusal('FAILURE', ended.error, lookAtTask(id)));
  const { blocked } = boardOfNodes(await tutti.queries.plans.nodes(plan.name));
  const stuck = [...blocked].filter(([, cause]) => cause === id).map(([each]) => each);
  return ok({ row: ended.value, restored, rescue, look, blocked: stuck });
}
