import { changePlan, changeTask } from '../../plan-record/change-plan.ts';
import { ok, type Result } from '../../../lib/result.ts';
import { withMark } from '../../../model/plan/checkpoint-mark.ts';
import type { TaskRow } from '../../../model/plan/task-row.ts';
import type { Verification } from '../../../model/plan/task-state.ts';
import { decideEnd, type EndingAttempt, type TaskEnd } from '../../../model/plan/work-on-task.ts';
import { type Activity, logActivity } from '../../plan-files/activity-log.ts';
import { planPathsOf } from '../../plan-files/plan-paths.ts';
import { writePlanViews } from '../plan-views.ts';
import { type TaskAccount, writeResult } from '../../plan-files/task-result.ts';
import { logName, type Assignee, type WorkParts } from './assignee.ts';

export interface Ending {
  readonly attempt: EndingAttempt;
  readonly end: TaskEnd;
  /** What is known beyond the record, for the result file. */
  readonly account?: TaskAccount;
}

/**
 * Writes down what became of a task, for plans run by Tutti and agent-led plans: in the record, in its result file, in the
 * checkpoint and in the log. Work that failed is put aside before, by whoever knows where it is.
 */
export async function endTask(
  parts: WorkParts,
  { plan, id }: { readonly plan: string; readonly id: string },
  assignee: Assignee,
  { attempt, end, account = {} }: Ending,
): Promise<Result<TaskRow, string>> {
  const { clock } = parts;
  const changed = await changeTask(parts, plan, id, ({ state }) => decideEnd(state, attempt, end));
  if (!changed.ok) return changed;
  writeResult(parts, plan, changed.value, account);
  if (assignee.kind === 'run') {
    const mark = end.at === 'done' ? 'success' : 'failed';
    await changePlan(parts, plan, (record) => ok(withMark(record, id, mark, clock.wall())));
  }
  await logActivity(parts, planPathsOf(parts.paths, plan), {
    agent: logName(assignee),
    ...describeEnd(id, end),
  });
  await writePlanViews(parts, plan);
  return changed;
}

function describeEnd(id: string, end: TaskEnd): Omit<Activity, 'agent'> {
  if (end.at === 'done') {
    return { level: 'INFO', event: 'task-complete', message: `${id}: ${countPassed(end.verification)}` };
  }
  const { category, message } = end.error;
  return { level: 'ERROR', event: 'task-failed', message: `${id}: ${category}: ${message}` };
}

function countPassed({ criteria }: Verification): string {
  const passed = criteria.filter(({ status }) => status === 'PASS').length;
  const waived = criteria.length - passed;
  return `${passed} of ${criteria.length} passed${waived === 0 ? '' : `, ${waived} not judged`}`;
}
