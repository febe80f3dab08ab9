import { rmSync } from 'node:fs';
import { replaceFile } from '../../../lib/atomic-file.ts';
import { digest } from '../../../lib/digest.ts';
import { plain } from '../../../lib/json.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import type { Completion } from '../../../model/entry.ts';
import { type HandEdits, handEdits, overwrittenEdits, type Works } from '../../../model/plan/hand-edits.ts';
import { isAtLeast } from '../../../model/plan/phase.ts';
import type { PlanInput } from '../../../model/plan/plan-input.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import type { PlanTask } from '../../../model/plan/plan-task.ts';
import { workDigest } from '../../../model/plan/task-row.ts';
import type { HostParts } from '../../host/host-parts.ts';
import { refusalOfProblems, type Refusal } from '../../refusal.ts';
import { readSpec, readTasks } from '../load-plan.ts';
import { loadTasks } from '../load-tasks.ts';
import { type PlanPaths, planPathsOf } from '../paths.ts';
import { keepTaskCopies, readTaskTexts, taskCopies, type TaskTexts, tasksIn } from './checked-copies.ts';
import { done, failed } from './completion.ts';
import { factsOfPlan } from './facts-of-plan.ts';

/**
 * What people have changed in the task files since an agent wrote them, with a copy of the files as they are. While an
 * author may be at work on them, what was found before that holds. Undefined: nothing is known to compare with.
 */
export function takeHandEdits(
  { phase, checked, made }: PlanRecord,
  paths: PlanPaths,
  known: PlanInput['hand'],
): Result<PlanInput['hand'], Refusal> {
  const left = made?.tasks?.left;
  const isSettled = isAtLeast(phase, 'validation') && phase !== 'sequencing';
  if (!isSettled || checked.tasks === undefined || left === undefined) return ok(known);
  const before = taskCopies(paths, left);
  if (before === null) return ok(known);
  const now = loadTasks(paths.dir);
  if (!now.ok) return err(refusalOfProblems(now.error, `repair it in ${paths.tasks}, then plan again`));
  const texts = readTaskTexts(paths, now.value.tasks);
  const base = digest(plain(Object.fromEntries(texts)));
  keepTaskCopies(paths, base, texts);
  const edits = handEdits(
    worksOf([...tasksIn(before).values()]),
    worksOf(now.value.tasks),
    known?.edits ?? {},
  );
  return ok({ base, edits });
}

function worksOf(tasks: readonly PlanTask[]): Works {
  return new Map(tasks.map((task) => [task.id, workDigest(task)]));
}

export interface SettleRequest {
  readonly plan: string;
  /** Digest of the tasks to compare with: what is the same work as there … */
  readonly same: string;
  /** … is put back as it stands in these, byte for byte, phase included. */
  readonly as: string;
  readonly edits: HandEdits;
  /** The phases were just given: what is put back may not contradict them. */
  readonly sequenced: boolean;
}

/**
 * After an agent's turn: tasks that are the same work keep their files as they were, and with them their phases. Names the
 * tasks of people that the agent has changed. Doing it twice is doing it once.
 */
export function settleTasks(parts: HostParts, request: SettleRequest): Completion {
  const paths = planPathsOf(parts.paths, request.plan);
  const record = parts.queries.plans.one(request.plan);
  const now = loadTasks(paths.dir);
  // What is no task is for the validators to say.
  if (record === null || !now.ok) return done(plain({ overwritten: [] }));
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
  return done(plain({ overwritten: overwrittenEdits(request.edits, worksOf(now.value.tasks)) }));
}

function isInOrder({ queries }: HostParts, record: PlanRecord, paths: PlanPaths): boolean {
  const spec = readSpec(paths.dir);
  if (!spec.ok) return false;
  const facts = factsOfPlan(queries, record, paths, { specText: spec.value, sequenced: true });
  return readTasks(paths.dir, facts).ok;
}

/** Tasks are again what a person made of them. */
export function keepHandEdits(
  { paths: project }: HostParts,
  plan: string,
  { base, ids }: { readonly base: string; readonly ids: readonly string[] },
): Completion {
  const paths = planPathsOf(project, plan);
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
