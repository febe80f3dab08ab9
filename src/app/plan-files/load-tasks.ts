import { type Dirent, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { errorCode } from '../../lib/error-code.ts';
import { isMachineTrouble, orTrouble } from '../../lib/machine-trouble.ts';
import { realPathBelow } from '../../lib/path-below.ts';
import { readText } from '../../lib/read-text.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { documentDigest } from '../../model/plan/checksum.ts';
import type { PlanTask } from '../../model/plan/plan-task.ts';
import { located, readJsonForm } from '../../model/schemas/json-document.ts';
import { type PlanTaskForm, planTaskForm } from '../../model/schemas/plan-task.ts';
import { type Problem, problemOf } from '../../model/schemas/problem.ts';
import { outside, readPlanFile } from './plan-file.ts';

export const maxTaskBytes = 1024 * 1024;

interface TaskLimits {
  readonly tasks: number;
  /** Of all of them together. */
  readonly characters: number;
}

const usualLimits: TaskLimits = { tasks: 20_000, characters: 256 * 1024 * 1024 };

export interface LoadedTasks {
  /** By number. */
  readonly tasks: readonly PlanTask[];
  readonly digests: ReadonlyMap<string, string>;
  /** Of all of them. */
  readonly digest: string;
}

/** Every task on its own: whether they fit together is for the validators to say. */
export function loadTasks(planDir: string, limits = usualLimits): Result<LoadedTasks, readonly Problem[]> {
  const folder = realPathBelow(planDir, 'tasks');
  if (!folder.ok) {
    return err([
      problemOf('tasks', folder.error.includes('leads outside') ? outside('tasks/.') : 'does not exist'),
    ]);
  }
  const names = taskNames(folder.value, limits);
  if (!names.ok) return err([names.error]);
  const tasks: PlanTask[] = [];
  const digests = new Map<string, string>();
  const problems: Problem[] = [];
  let characters = 0;
  for (const name of names.value) {
    const file = `tasks/${name}`;
    const text = readText(`${folder.value}/${name}`, { maxBytes: maxTaskBytes, links: 'refuse' });
    if (!text.ok) {
      problems.push(problemOf(file, text.error.message));
      continue;
    }
    characters += text.value.length;
    if (characters > limits.characters) {
      return err([problemOf('tasks', `are more than ${limits.characters} characters together`)]);
    }
    const task = taskOf(text.value, name);
    if (task.ok) {
      tasks.push(task.value);
      digests.set(task.value.id, documentDigest(task.value));
    } else problems.push(...task.error);
  }
  return problems.length > 0 ? err(problems) : ok({ tasks, digests, digest: documentDigest([...digests]) });
}

/** Tasks that have a file, also one that is not valid. */
export function tasksWithFile(planDir: string): readonly string[] {
  const folder = realPathBelow(planDir, 'tasks');
  const names = folder.ok ? taskNames(folder.value, usualLimits) : folder;
  return names.ok ? names.value.map((name) => basename(name, '.json')) : [];
}

/** Of the task files as they are, also of those that are not valid. */
export function digestTaskFiles(planDir: string): string {
  const loaded = loadTasks(planDir);
  return loaded.ok ? loaded.value.digest : documentDigest(loaded.error);
}

/** One task alone. */
export function loadTask(planDir: string, id: string): Result<PlanTask, readonly Problem[]> {
  const name = `${id}.json`;
  const text = readPlanFile(planDir, `tasks/${name}`, maxTaskBytes);
  return text.ok ? taskOf(text.value, name) : err([text.error]);
}

/** What is no JSON file is somebody's note or an editor's copy; what is one must be a task. */
function taskNames(folder: string, limits: TaskLimits): Result<readonly string[], Problem> {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isMachineTrouble(error)) throw orTrouble(error, folder);
    return err(problemOf('tasks', errorCode(error) === 'ENOTDIR' ? 'is not a directory' : 'cannot be read'));
  }
  const names = entries.map(({ name }) => name).filter((name) => /^[^.].*\.json$/.test(name));
  if (names.length === 0) return err(problemOf('tasks', 'has no task: they are files such as T001.json'));
  if (names.length > limits.tasks) return err(problemOf('tasks', `has more than ${limits.tasks} tasks`));
  const byNumber = new Map(names.map((name) => [name, Number(/\d+/.exec(name)?.[0] ?? 0)]));
  return ok(names.toSorted((a, b) => (byNumber.get(a) ?? 0) - (byNumber.get(b) ?? 0) || (a < b ? -1 : 1)));
}

function taskOf(text: string, name: string): Result<PlanTaskForm, readonly Problem[]> {
  const file = `tasks/${name}`;
  const form = readJsonForm(planTaskForm, text, file);
  if (!form.ok || `${form.value.id}.json` === name) return form;
  const message = `is ${form.value.id}, but the file of that task is ${form.value.id}.json`;
  return err(located(text, file, [{ path: ['id'], member: undefined, message }]));
}
