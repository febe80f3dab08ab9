import { changesInWords, hasChanges, taskChanges } from '../../model/plan/artifact-changes.ts';
import { isAtLeast } from '../../model/plan/phase.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import type { Tutti } from '../tutti.ts';
import type { FoundPlan } from './find-plan.ts';
import type { CheckedTasks } from './load-plan.ts';
import { loadTasks } from './load-tasks.ts';

export interface ChangedTasks {
  /** `changed T002; added T009`: by whom is not known. */
  readonly words: string;
  /** The same work, in another order. */
  readonly isSameWork: boolean;
}

/** How task files differ from the tasks that passed last; null: they do not, or none has passed. */
export function changedTasks(
  { queries }: Pick<Tutti, 'queries'>,
  { name, checked }: Pick<PlanRecord, 'name' | 'checked'>,
  now: Pick<CheckedTasks, 'value' | 'digest'>,
): ChangedTasks | null {
  if (checked.tasks === undefined || checked.tasks === now.digest) return null;
  const before = queries.plans.tasks(name).map(({ task }) => task);
  const changes = taskChanges(before, now.value);
  const isSameWork = !hasChanges(changes);
  return { words: isSameWork ? 'changed the order of tasks' : changesInWords(changes), isSameWork };
}

/** The same for a plan that is ready, by a look at its files. While it is planned, they change all the time. */
export function changedTaskFiles(
  tutti: Pick<Tutti, 'queries'>,
  { plan, paths }: Pick<FoundPlan, 'plan' | 'paths'>,
): string | null {
  if (!isAtLeast(plan.phase, 'ready') || plan.checked.tasks === undefined) return null;
  const loaded = loadTasks(paths.dir);
  if (!loaded.ok) return loaded.error.slice(0, 1).map(problemSentence).join('');
  const { tasks, digest } = loaded.value;
  return changedTasks(tutti, plan, { value: tasks, digest })?.words ?? null;
}
