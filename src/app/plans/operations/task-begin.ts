import type { TaskBegun } from '../../../model/plan/execute-parts.ts';
import { done, failed } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { beginTask } from '../work/begin-task.ts';
import { heldBack } from './halts.ts';

/** Takes a task for the run, once the plan is not halted; it works in a workspace, so nothing of the folder is kept. */
export async function taskBegin(call: OperationCall<'task-begin'>): Promise<OperationEnd<TaskBegun>> {
  const { plan, task: id, attempt, redo } = call.args;
  const instead = await heldBack(call, plan);
  if (instead !== null) return instead;
  const assignee = { kind: 'run', by: call.attempt.runId } as const;
  const wish = { snapshot: null, isOne: true, ...(redo ? { redo: attempt } : {}) };
  const begun = await beginTask(call.parts, { plan, id }, assignee, wish);
  return begun.ok ? done(begun.value.begun) : failed(begun.error);
}
