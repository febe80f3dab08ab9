import type { TaskBegun } from '../../../model/plan/execute-parts.ts';
import { type TaskRow, workDigest } from '../../../model/plan/task-row.ts';
import { problemSentence } from '../../../model/schemas/problem.ts';
import { done, failed } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { loadTask } from '../../plan-files/load-tasks.ts';
import { planPathsOf } from '../../plan-files/plan-paths.ts';
import { editsHint } from '../../plan-record/edited-tasks.ts';
import { beginTask } from '../work/begin-task.ts';
import { heldBack } from './halts.ts';

/** Takes a task for the run, once the plan is not halted; it works in a workspace, so nothing of the folder is kept. */
export async function taskBegin(call: OperationCall<'task-begin'>): Promise<OperationEnd<TaskBegun>> {
  const { plan, task: id, attempt, redo } = call.args;
  const instead = await heldBack(call, plan);
  if (instead !== null) return instead;
  const assignee = { kind: 'run', by: call.attempt.runId } as const;
  const edited = (row: TaskRow): Promise<string | null> => findEdit(call, row);
  const wish = { snapshot: null, isOne: true, edited, ...(redo ? { redo: attempt } : {}) };
  const begun = await beginTask(call.parts, { plan, id }, assignee, wish);
  if (!begun.ok) return failed(begun.error);
  return done(begun.value.begun, begun.value.begun.at === 'edited' ? 'FAILURE' : 'SUCCESS');
}

/**
 * Why a task may not begin by the definition that the run was given: the plan's record or the task's file has another one by
 * now. What the run would judge the work by is then not what a person reads there. Null: all three are the same work.
 */
async function findEdit(
  { args, parts }: OperationCall<'task-begin'>,
  { task }: TaskRow,
): Promise<string | null> {
  const { plan, work } = args;
  const known = workDigest(task);
  const now = loadTask(planPathsOf(parts.paths, plan).dir, task.id);
  const isOpen = !now.ok || workDigest(now.value) !== known;
  if (!isOpen && (work === undefined || work === known)) return null;
  const record = await parts.queries.plans.one(plan);
  const hint = record === null ? '' : `; ${await editsHint(parts, record, isOpen)}`;
  return now.ok
    ? `its definition was edited after the run loaded it${hint}`
    : `${now.error.slice(0, 1).map(problemSentence).join('')}${hint}`;
}
