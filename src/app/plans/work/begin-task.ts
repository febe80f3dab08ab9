import { err, ok, type Result } from '../../../lib/result.ts';
import { withMark } from '../../../model/plan/checkpoint-mark.ts';
import type { TaskBegun } from '../../../model/plan/execute-parts.ts';
import { withTaskBegun } from '../../../model/plan/plan-transitions.ts';
import type { TaskRow } from '../../../model/plan/task-row.ts';
import type { TaskState } from '../../../model/plan/task-state.ts';
import { type BeginWish, decideBegin } from '../../../model/plan/work-on-task.ts';
import { logActivity } from '../activity-log.ts';
import { planPathsOf } from '../paths.ts';
import { writePlanViews } from '../plan-views.ts';
import { logName, type Assignee, type WorkParts } from './assignee.ts';

export interface Beginning extends Pick<BeginWish, 'snapshot' | 'isOne' | 'redo'> {
  /** Looked at in the transaction: why the task may not begin, in words that follow its id. */
  readonly obstacle?: (state: TaskState, stateOf: (id: string) => TaskState | null) => string | null;
}

export interface BegunTask {
  readonly row: TaskRow;
  readonly begun: TaskBegun;
}

/**
 * Gives a task to an assignee, for plans run by Tutti and agent-led plans: the record says who has it from here on, then the
 * checkpoint, the log and the views. Of ten who ask at once, one gets it.
 */
export async function beginTask(
  parts: WorkParts,
  { plan, id }: { readonly plan: string; readonly id: string },
  assignee: Assignee,
  { obstacle, ...wish }: Beginning,
): Promise<Result<BegunTask, string>> {
  const { store, clock, paths } = parts;
  const since = clock.wall();
  const told: { begun?: TaskBegun } = {};
  const changed = await store.changeTask(plan, id, ({ state }, stateOf) => {
    const why = obstacle?.(state, stateOf) ?? null;
    if (why !== null) return err(why);
    const decided = decideBegin(state, { ...wish, by: assignee.by, since });
    told.begun = decided.begun;
    return ok(decided.state);
  });
  if (!changed.ok) return changed;
  const { begun } = told;
  if (begun === undefined) return err(`task ${id} was not looked at`);
  const row = changed.value;
  if (begun.at !== 'begun') return ok({ row, begun });
  await store.changePlan(plan, (record) => {
    const next = withTaskBegun(record, id);
    return ok(assignee.kind === 'run' ? withMark(next, id, 'running', clock.wall()) : next);
  });
  await logActivity(parts, planPathsOf(paths, plan), {
    level: 'INFO',
    agent: logName(assignee),
    event: 'task-start',
    message: `${id}: ${row.task.name} (attempt ${begun.attempt})`,
  });
  await writePlanViews(parts, plan);
  return ok({ row, begun });
}
