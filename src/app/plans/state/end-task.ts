import { err, ok, type Result } from '../../../lib/result.ts';
import { isOrphan, withoutOrphan } from '../../../model/plan/checkpoint.ts';
import type { TaskRow } from '../../../model/plan/task-row.ts';
import {
  failTask as failed,
  retryTask as retried,
  skipTask as skipped,
  type TaskError,
  type TaskState,
} from '../../../model/plan/task-state.ts';
import { restore } from '../../../workspace/snapshot.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import { logActivity } from '../activity-log.ts';
import type { FoundPlan } from '../find-plan.ts';
import { writeResult } from '../task-result.ts';
import { changePlan, changeTask } from './changed.ts';
import { boardOfNodes } from './plan-status.ts';
import { requiredTask, type RunningTask, runningTask } from './required-task.ts';
import { oneAtATime, targetOf, unusable } from './task-target.ts';
import { isWorking } from './working.ts';

export interface FailedTask {
  readonly row: TaskRow;
  /** Files that are as they were before the task was started. */
  readonly restored: readonly string[];
  /** Where its work is kept; null where it had done nothing. */
  readonly rescue: string | null;
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
  found: FoundPlan,
  id: string,
  error: TaskError,
): Promise<Result<FailedTask, Refusal>> {
  const { plan, paths } = found;
  const running = runningTask(tutti, plan.name, id);
  if (!running.ok) return running;
  const back = await putAside(tutti, found, running.value);
  if (!back.ok) return back;
  const { restored, rescue } = back.value;
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
  return ok({ row: ended.value, restored, rescue, blocked: stuck });
}

/** Only declared files: anything else in the folder may be the operator's own. */
async function putAside(
  tutti: Tutti,
  { plan }: Pick<FoundPlan, 'plan'>,
  { task, state }: RunningTask,
): Promise<Result<{ readonly restored: readonly string[]; readonly rescue: string | null }, Refusal>> {
  if (state.snapshot === null) return ok({ restored: [], rescue: null });
  const target = await targetOf(tutti, plan);
  if (!target.ok) return target;
  const files = task.files.map(({ path }) => path);
  const back = await restore(target.value, state.snapshot, files);
  if (!back.ok) return err(unusable(back.error));
  const { restored, removed, rescue } = back.value;
  return ok({ restored: [...restored, ...removed], rescue });
}

export interface Reopening {
  /** Take it from whoever has it. */
  readonly force: boolean;
}

export interface Reopened {
  readonly row: TaskRow;
  readonly rescue: string | null;
}

/** Lets a task be done again. One that is at work is taken only from somebody who is gone. */
export function retryTask(
  tutti: Tutti,
  found: FoundPlan,
  id: string,
  reopening: Reopening,
): Promise<Result<Reopened, Refusal>> {
  return oneAtATime(tutti, found.plan.name, id, () =>
    settled(tutti, found, id, { ...reopening, again: 'retry' }, retried),
  );
}

/** What needs it stays blocked, until it is skipped too. */
export function skipTask(
  tutti: Tutti,
  found: FoundPlan,
  id: string,
  { reason, force }: Reopening & { readonly reason: string },
): Promise<Result<Reopened, Refusal>> {
  return oneAtATime(tutti, found.plan.name, id, () =>
    settled(tutti, found, id, { force, again: 'skip' }, (state) =>
      skipped(state, reason, tutti.clock.wall()),
    ),
  );
}

async function settled(
  tutti: Tutti,
  found: FoundPlan,
  id: string,
  { force, again }: Reopening & { readonly again: string },
  change: (state: TaskState) => ReturnType<typeof retried>,
): Promise<Result<Reopened, Refusal>> {
  const { plan, paths } = found;
  const row = requiredTask(tutti, plan.name, id);
  if (!row.ok) return row;
  const { task, state } = row.value;
  let rescue: string | null = null;
  if (state.at === 'running') {
    if (!force && !isLost(tutti, found, id, state.by)) {
      const hint = `if nobody is: tutti checkpoint recover, or tutti task ${again} ${id} --force`;
      return err(refusal('FAILURE', `task ${id} is being worked on by ${state.by}`, hint));
    }
    const back = await putAside(tutti, found, { task, state });
    if (!back.ok) return back;
    ({ rescue } = back.value);
  }
  const changed = await changeTask(tutti, plan.name, id, (now) => {
    if (now.state.at !== 'running') return change(now.state);
    const error = { category: 'runtime', message: 'nobody works on it any more', retryable: true } as const;
    const ended = failed(now.state, { endedAt: tutti.clock.wall(), error, rescue });
    return ended.ok ? change(ended.value) : ended;
  });
  if (!changed.ok) return changed;
  await changePlan(tutti, plan.name, 'tutti plan status', (record) => ok(withoutOrphan(record, id)));
  await logActivity(tutti, paths, { level: 'INFO', agent: 'tutti', event: `task-${again}`, message: id });
  return ok({ row: changed.value, rescue });
}

function isLost(tutti: Tutti, { plan }: FoundPlan, id: string, by: string): boolean {
  const alive = isWorking(tutti, by);
  return alive === 'no' || (alive === 'unknown' && isOrphan(plan, id));
}
