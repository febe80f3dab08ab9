import type { TaskBegun } from '../../../model/plan/execute-parts.ts';
import { type TaskRow, workDigest } from '../../../model/plan/task-row.ts';
import { problemSentence } from '../../../model/schemas/problem.ts';
import { done, failed } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { loadTask } from '../../plan-files/load-tasks.ts';
import { planPathsOf } from '../../plan-files/plan-paths.ts';
import { beginTask } from '../work/begin-task.ts';
import { heldBack } from './halts.ts';

/** Takes a task for the run, once the plan is not halted; it works in a workspace, so nothing of the folder is kept. */
export async function taskBegin(call: OperationCall<'task-begin'>): Promise<OperationEnd<TaskBegun>> {
  const { plan, task: id, attempt, redo } = call.args;
  const instead = await heldBack(call, plan);
  if (instead !== null) return instead;
  const assignee = { kind: 'run', by: call.attempt.runId } as const;
  const edited = (row: TaskRow): string | null => findEdit(call, row);
  const wish = { snapshot: null, isOne: true, edited, ...(redo ? { redo: attempt } : {}) };
  const begun = await beginTask(call.parts, { plan, id }, assignee, wish);
  if (!begun.ok) return failed(begun.error);
  return done(begun.value.begun, begun.value.begun.at === 'edited' ? 'FAILURE' : 'SUCCESS');
}

/**
 * Why a task may not begin by the definition that the run was given: the plan's record or the task's file has another one by
 * now. What the run would judge the work by is then not what a person reads there. Null: all three are the same work.
 */
function findEdit({ args, parts }: OperationCall<'task-begin'>, { task }: TaskRow): string | null {
  const { plan, work } = args;
  const load = `load the edit: tutti execute --plan ${plan}`;
  const edited = `its definition was edited after the run loaded it; ${load}`;
  const known = workDigest(task);
  if (work !== undefined && work !== known) return edited;
  const now = loadTask(planPathsOf(parts.paths, plan).dir, task.id);
  if (!now.ok) return `${now.error.slice(0, 1).map(problemSentence).join('')}; when it is right, ${load}`;
  return workDigest(now.value) === known ? null : edited;
}
