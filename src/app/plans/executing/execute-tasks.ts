import { type ExecuteTask, knownDone, nextAttempt, openTasks } from '../../../model/plan/execute-input.ts';
import { expandedBehaviors, layersOf } from '../../../model/plan/make-bundle.ts';
import { type TaskRow, workDigest } from '../../../model/plan/task-row.ts';
import type { TaskState } from '../../../model/plan/task-state.ts';
import type { PlanSources } from '../plan-sources.ts';

/** The tasks as an execution would take them now. One that is other work than what was done counts as not done. */
export function executeTasks(sources: PlanSources, rows: readonly TaskRow[]): readonly ExecuteTask[] {
  const known = new Map(rows.map((row) => [row.task.id, row]));
  const after = Map.groupBy(sources.tasks.added, (order) => order.after);
  return sources.tasks.value.map((task) => {
    const row = known.get(task.id);
    const state: TaskState = row?.state ?? { at: 'pending' };
    const isSame = row !== undefined && workDigest(row.task) === workDigest(task);
    return {
      task,
      after: (after.get(task.id) ?? []).map(({ before }) => before),
      behaviors: expandedBehaviors(task, sources.capabilityMap),
      layers: layersOf(task, sources.physicalMap),
      attempt: nextAttempt(state),
      done: state.at === 'done' && isSame ? knownDone(state) : null,
    };
  });
}

/** What an execution would begin with, and what may have to follow because it stands on that. */
export interface Forecast {
  readonly open: ReadonlySet<string>;
  readonly mayFollow: ReadonlySet<string>;
}

export function forecastOf(sources: PlanSources, rows: readonly TaskRow[]): Forecast {
  const tasks = executeTasks(sources, rows);
  const open = new Set(openTasks({ tasks, constraints: sources.constraints }));
  const mayFollow = new Set<string>();
  const { graph } = sources.tasks;
  for (const id of graph.order) {
    if (open.has(id)) continue;
    if (graph.needs(id).some((need) => open.has(need) || mayFollow.has(need))) mayFollow.add(id);
  }
  return { open, mayFollow };
}
