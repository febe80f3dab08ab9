import { oneLine } from '../../lib/terminal-text.ts';
import { changesInWords, hasChanges, taskChanges } from '../../model/plan/artifact-changes.ts';
import { isAtLeast } from '../../model/plan/phase.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import type { PlanTask } from '../../model/plan/plan-task.ts';
import { workDigest } from '../../model/plan/task-row.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import type { Tutti } from '../tutti.ts';
import type { FoundPlan } from './find-plan.ts';
import type { CheckedTasks } from '../plan-files/load-plan.ts';

export interface ChangedTasks {
  /** `changed T002; added T009`: by whom is not known. */
  readonly words: string;
  /** The same work, in another order. */
  readonly isSameWork: boolean;
}

/** How task files differ from the tasks that passed last; null: they do not, or none has passed. */
export async function changedTasks(
  { queries }: Pick<Tutti, 'queries'>,
  { name, checked }: Pick<PlanRecord, 'name' | 'checked'>,
  now: Pick<CheckedTasks, 'value' | 'digest'>,
): Promise<ChangedTasks | null> {
  if (checked.tasks === undefined || checked.tasks === now.digest) return null;
  const before = (await queries.plans.tasks(name)).map(({ task }) => task);
  const changes = taskChanges(before, now.value);
  const isSameWork = !hasChanges(changes);
  return { words: isSameWork ? 'changed the order of tasks' : changesInWords(changes), isSameWork };
}

/**
 * How the plan's tasks differ from those of a digest, in words, with the commands of what is new; null: they do not, or there
 * is no copy of those.
 */
export async function changesSince(
  { queries }: Pick<Tutti, 'queries'>,
  { plan, paths }: Pick<FoundPlan, 'plan' | 'paths'>,
  digest: string,
): Promise<string | null> {
  const { taskCopies, tasksIn } = await import('./planning/checked-copies.ts');
  const copies = taskCopies(paths, digest);
  if (copies === null) return null;
  const now = (await queries.plans.tasks(plan.name)).map(({ task }) => task);
  const changes = taskChanges([...tasksIn(copies).values()], now);
  if (!hasChanges(changes)) return null;
  const isNew = (id: string): boolean => changes.changed.includes(id) || changes.added.includes(id);
  const commands = now
    .filter(({ id }) => isNew(id))
    .map(
      ({ id, acceptance_criteria: criteria }) =>
        `${id} runs ${criteria.map(({ verification }) => oneLine(verification, 300)).join(' and ')}`,
    );
  return [changesInWords(changes), ...commands].join('; ');
}

/** Whether the file of a task has another definition than the plan's record, or none that counts. */
export async function isTaskEdited(
  { plan, paths }: Pick<FoundPlan, 'plan' | 'paths'>,
  task: PlanTask,
): Promise<boolean> {
  if (!isAtLeast(plan.phase, 'ready')) return false;
  const { loadTask } = await import('../plan-files/load-tasks.ts');
  const now = loadTask(paths.dir, task.id);
  return !now.ok || workDigest(now.value) !== workDigest(task);
}

/** How the task files of a plan that is ready differ from what was checked. While it is planned, they change all the time. */
export async function changedTaskFiles(
  tutti: Pick<Tutti, 'queries'>,
  { plan, paths }: Pick<FoundPlan, 'plan' | 'paths'>,
): Promise<string | null> {
  if (!isAtLeast(plan.phase, 'ready') || plan.checked.tasks === undefined) return null;
  const { loadTasks } = await import('../plan-files/load-tasks.ts');
  const loaded = loadTasks(paths.dir);
  if (!loaded.ok) return loaded.error.slice(0, 1).map(problemSentence).join('');
  const { tasks, digest } = loaded.value;
  return (await changedTasks(tutti, plan, { value: tasks, digest }))?.words ?? null;
}
