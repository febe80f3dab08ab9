import { rmSync } from 'node:fs';
import { replaceFile } from '../../../lib/atomic-file.ts';
import type { OperationResult } from '../../../model/operations.ts';
import { overwrittenEdits } from '../../../model/plan/hand-edits.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import { workDigest } from '../../../model/plan/task-row.ts';
import { done, failed } from '../../host/completions.ts';
import type { HostParts } from '../../host/host-parts.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { readSpec, readTasks } from '../load-plan.ts';
import { loadTasks } from '../load-tasks.ts';
import { type PlanPaths, planPathsOf } from '../paths.ts';
import { readTaskTexts, taskCopies, type TaskTexts, tasksIn } from './checked-copies.ts';
import { factsOfPlan } from './facts-of-plan.ts';
import { worksOf } from './hand-edits.ts';

/**
 * After an agent's turn: tasks that are the same work keep their files as they were, and with them their phases. Names the
 * tasks of people that the agent has changed. Doing it twice is doing it once.
 */
export function planEditsSettle({
  parts,
  args: request,
}: OperationCall<'plan-edits-settle'>): OperationEnd<OperationResult<'plan-edits-settle'>> {
  const paths = planPathsOf(parts.paths, request.plan);
  const record = parts.queries.plans.one(request.plan);
  const now = loadTasks(paths.dir);
  // What is no task is for the validators to say.
  if (record === null || !now.ok) return done({ overwritten: [] });
  const [same, as] = [taskCopies(paths, request.same), taskCopies(paths, request.as)];
  if (same !== null && as !== null) {
    const works = worksOf([...tasksIn(same).values()]);
    const texts = readTaskTexts(paths, now.value.tasks);
    const back = now.value.tasks.flatMap((task): readonly (readonly [string, string])[] => {
      const text = as.get(task.id);
      const isSame = text !== undefined && works.get(task.id) === workDigest(task);
      return isSame && text !== texts.get(task.id) ? [[task.id, text]] : [];
    });
    write(paths, new Map(back));
    if (request.sequenced && back.length > 0 && !isInOrder(parts, record, paths)) write(paths, texts);
  }
  return done({ overwritten: overwrittenEdits(request.edits, worksOf(now.value.tasks)) });
}

function isInOrder({ queries }: HostParts, record: PlanRecord, paths: PlanPaths): boolean {
  const spec = readSpec(paths.dir);
  if (!spec.ok) return false;
  const facts = factsOfPlan(queries, record, paths, { specText: spec.value, sequenced: true });
  return readTasks(paths.dir, facts).ok;
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

function write(paths: PlanPaths, texts: TaskTexts): void {
  for (const [id, text] of texts) replaceFile(paths.task(id), text);
}
