import { changePlan, changeTask } from '../../plan-record/change-plan.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { withMark } from '../../../model/plan/checkpoint-mark.ts';
import type { TaskBegun } from '../../../model/plan/execute-parts.ts';
import { withTaskBegun } from '../../../model/plan/plan-transitions.ts';
import type { TaskRow } from '../../../model/plan/task-row.ts';
import type { TaskState } from '../../../model/plan/task-state.ts';
import { type BeginWish, decideBegin } from '../../../model/plan/work-on-task.ts';
import { logActivity } from '../../plan-files/activity-log.ts';
import { planPathsOf } from '../../plan-files/plan-paths.ts';
import { writePlanViews } from '../plan-views.ts';
import { logName, type Assignee, type WorkParts } from './assignee.ts';

export interface Beginning extends Pick<BeginWish, 'snapshot' | 'isOne' | 'redo'> {
  /** Why the task may not begin as the plan is now, in words that follow its id. */
  readonly obstacle?: (state: TaskState) => Promise<string | null>;
  /** Why the definition that the assignee has is not the one that counts, in a sentence; null: it is. */
  readonly edited?: (row: TaskRow) => Promise<string | null>;
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
  { obstacle, edited, ...wish }: Beginning,
): Promise<Result<BegunTask, string>> {
  const { clock, paths } = parts;
  const since = clock.wall();
  const told: { begun?: TaskBegun } = {};
  const changed = await changeTask(parts, plan, id, async (row) => {
    const { state } = row;
    const why = (await obstacle?.(state)) ?? null;
    if (why !== null) return err(why);
    const decided = decideBegin(state, {
      ...wish,
      by: assignee.by,
      since,
      edited: (await edited?.(row)) ?? null,
    });
    told.begun = decided.begun;
    return ok(decided.state);
  });
  if (!changed.ok) return changed;
  const { begun } = told;
  if (begun === undefined) return err(`task ${id} was not looked at`);
  const row = changed.value;
  if (begun.at !== 'begun') return ok({ row, begun });
  await changePlan(parts, plan, (record) => {
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
