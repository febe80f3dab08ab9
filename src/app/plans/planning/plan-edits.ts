import { rmSync } from 'node:fs';
import { replaceFile } from '../../../lib/atomic-file.ts';
import { ok } from '../../../lib/result.ts';
import type { OperationResult } from '../../../model/operations.ts';
import { overwrittenEdits } from '../../../model/plan/hand-edits.ts';
import { fallBack } from '../../../model/plan/plan-record.ts';
import { workDigest } from '../../../model/plan/task-row.ts';
import { done, failed } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { loadTasks } from '../../plan-files/load-tasks.ts';
import { changePlan } from '../../plan-record/change-plan.ts';
import { planPathsOf } from '../../plan-files/plan-paths.ts';
import { readTaskTexts, taskCopies, tasksIn } from './checked-copies.ts';
import { worksOf } from './hand-edits.ts';
import { settlePhases } from './settle-phases.ts';

/**
 * After an agent's turn: tasks that are the same work keep their files as they were, and with them their phases. Names the
 * tasks of people that the agent has changed. Doing it twice is doing it once.
 */
export async function planEditsSettle({
  parts,
  args: request,
}: OperationCall<'plan-edits-settle'>): Promise<OperationEnd<OperationResult<'plan-edits-settle'>>> {
  if (request.sequenced) return settlePhases(parts, request);
  const paths = planPathsOf(parts.paths, request.plan);
  const now = loadTasks(paths.dir);
  // What is no task is for the validators to say.
  if (!now.ok) return done({ overwritten: [] });
  const [same, as] = [taskCopies(paths, request.same), taskCopies(paths, request.as)];
  if (same !== null && as !== null) {
    const works = worksOf([...tasksIn(same).values()]);
    const texts = readTaskTexts(paths, now.value.tasks);
    for (const task of now.value.tasks) {
      const text = as.get(task.id);
      const isSame = text !== undefined && works.get(task.id) === workDigest(task);
      if (isSame && text !== texts.get(task.id)) replaceFile(paths.task(task.id), text);
    }
  }
  return done({ overwritten: overwrittenEdits(request.edits, worksOf(now.value.tasks)) });
}

/** Whatever changes in the task files from now on is an agent's work, and no person's edit. */
export async function planTasksBegin({
  parts,
  args: { plan },
}: OperationCall<'plan-tasks-begin'>): Promise<OperationEnd<null>> {
  const changed = await changePlan(parts, plan, (record) => ok(fallBack(record, 'definition')));
  return changed.ok ? done(null) : failed(changed.error);
}

/** Tasks are again what a person made of them. */
export function planEditsKeep({
  parts,
  args: { plan, base, ids },
}: OperationCall<'plan-edits-keep'>): OperationEnd<null> {
  const paths = planPathsOf(parts.paths, plan);
  const texts = taskCopies(paths, base);
  if (texts === null) return failed(`the copy of the edited tasks in ${paths.dir}/checked is gone`);
  for (const id of ids) {
    const text = texts.get(id);
    if (text === undefined) rmSync(paths.task(id), { force: true });
    else replaceFile(paths.task(id), text);
  }
  return done(null);
}
