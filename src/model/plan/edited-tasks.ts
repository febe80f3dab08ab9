import { changesInWords, type Changes, hasChanges, taskChanges } from './artifact-changes.ts';
import type { PlanTask } from './plan-task.ts';
import type { TaskRow } from './task-row.ts';

/** The definitions of a plan's tasks, at the three places that have them. */
export interface TaskPlaces {
  /** The run that executes the plan. */
  readonly run: readonly PlanTask[];
  /** The plan's record. */
  readonly record: readonly TaskRow[];
  /** The files, as a person left them; null: agents are writing them. */
  readonly files: readonly PlanTask[] | null;
}

/**
 * What was edited since the run loaded its tasks, in words; null: nothing. Null also where an edited file belongs to a task that
 * is worked on: its edit can be loaded only after the run has finished that task.
 */
export function editsOfRun({ run, record, files }: TaskPlaces): string | null {
  const recorded = record.map(({ task }) => task);
  const loaded = taskChanges(run, recorded);
  const open = taskChanges(recorded, files ?? recorded);
  const atWork = new Set(record.flatMap(({ task, state }) => (state.at === 'running' ? [task.id] : [])));
  if ([...open.changed, ...open.removed].some((id) => atWork.has(id))) return null;
  const changes: Changes = {
    added: together(loaded.added, open.added),
    changed: together(loaded.changed, open.changed),
    removed: together(loaded.removed, open.removed),
  };
  return hasChanges(changes) ? changesInWords(changes) : null;
}

function together(one: readonly string[], other: readonly string[]): readonly string[] {
  return [...new Set([...one, ...other])].toSorted();
}
