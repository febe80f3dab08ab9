import { loadTasks } from '../../plan-record/change-plan.ts';
import { digest } from '../../../lib/digest.ts';
import { plain } from '../../../lib/json.ts';
import { replaceFile } from '../../../lib/atomic-file.ts';
import { err, ok } from '../../../lib/result.ts';
import { taskChanges } from '../../../model/plan/artifact-changes.ts';
import { tasksShape, tasksWork } from '../../../model/plan/content-digest.ts';
import { taskFile } from '../../../model/plan/plan-facts.ts';
import type { PlanChange, PlanRecord } from '../../../model/plan/plan-record.ts';
import type { PlanTask } from '../../../model/plan/plan-task.ts';
import { withTasks } from '../../../model/plan/plan-transitions.ts';
import { workDigest } from '../../../model/plan/task-row.ts';
import { type Problem, problemOf } from '../../../model/schemas/problem.ts';
import { readTasks } from '../../plan-files/load-plan.ts';
import { maxTaskBytes } from '../../plan-files/load-tasks.ts';
import type { PlanPaths } from '../../plan-files/plan-paths.ts';
import { readPlanFile } from '../../plan-files/plan-file.ts';
import { keepTaskCopies, readTaskTexts, taskCopies, tasksIn, type TaskTexts } from './checked-copies.ts';
import type { CheckRequest, Looked, PlanPlace } from './check-request.ts';

const longestTask = 4_000;

export function checkTasks({ parts, record, paths, facts }: PlanPlace, request: CheckRequest): Looked {
  const read = readTasks(paths.dir, facts);
  if (!read.ok) return read;
  const { value: tasks, digest: name, added } = read.value;
  const works = Object.fromEntries(tasks.map((task) => [task.id, workDigest(task)]));
  const verified = request.verified === undefined ? null : taskCopies(paths, request.verified);
  const beyond = request.works === undefined ? [] : changedBeyondPhase(request.works, works, verified);
  if (beyond.length > 0) return err(beyond);
  const texts = request.before === null ? null : taskCopies(paths, request.before);
  const old = texts === null ? null : tasksIn(texts);
  const checked = {
    digest: name,
    content: tasksWork(tasks),
    changes: old === null ? null : taskChanges([...old.values()], tasks),
    checksum: '',
    tasks: {
      total: tasks.length,
      phases: new Set(tasks.map(({ phase }) => phase)).size,
      shape: tasksShape(tasks),
      works,
      added,
    },
  };
  const take = (advanced: (next: PlanRecord) => PlanChange) => {
    if (texts !== null && old !== null) putBackBytes(paths, tasks, texts, old);
    keepTaskCopies(paths, name, readTaskTexts(paths, tasks));
    return loadTasks(parts, record.name, tasks, (now, before) => {
      const known = new Map(before.map((row) => [row.task.id, workDigest(row.task)]));
      const same = known.size === tasks.length && tasks.every(({ id }) => known.get(id) === works[id]);
      return advanced(withTasks(now, name, same ? 'same' : 'other'));
    });
  };
  return ok({ checked, take });
}

/** Who puts tasks in order was given tasks that somebody has verified. */
function changedBeyondPhase(
  verified: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
  texts: TaskTexts | null,
): readonly Problem[] {
  const ids = [...new Set([...Object.keys(verified), ...Object.keys(now)])];
  return ids.filter((id) => verified[id] !== now[id]).map((id) => putBack(id, verified, now, texts?.get(id)));
}

/** Who has changed it may not know any more what it was. */
function putBack(
  id: string,
  verified: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
  text: string | undefined,
): Problem {
  const why = 'after the tasks were verified: only "phase" may be changed here';
  if (verified[id] === undefined) return problemOf(taskFile(id), `was added ${why}; delete it`);
  const how = now[id] === undefined ? 'was removed' : 'was changed';
  const was = text === undefined ? '' : `: ${text.replaceAll(/\s*\n\s*/g, ' ').slice(0, longestTask)}`;
  return problemOf(taskFile(id), `${how} ${why}; put it back as it was${was}`);
}

/** What an agent wrote out again without changing it stays as it was, byte for byte: nobody has to read it anew. */
function putBackBytes(
  paths: PlanPaths,
  tasks: readonly PlanTask[],
  texts: TaskTexts,
  old: ReadonlyMap<string, PlanTask>,
): void {
  for (const task of tasks) {
    const [before, text] = [old.get(task.id), texts.get(task.id)];
    if (before === undefined || text === undefined || digest(plain(before)) !== digest(plain(task))) continue;
    const now = readPlanFile(paths.dir, taskFile(task.id), maxTaskBytes);
    if (now.ok && now.value !== text) replaceFile(paths.task(task.id), text);
  }
}
