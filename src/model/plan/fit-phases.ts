import { getKnown } from '../../lib/get-known.ts';
import type { Graph } from '../graph.ts';
import type { CapabilityMap } from './capability-map.ts';
import { taskFile } from './plan-facts.ts';
import type { PlanTask } from './plan-task.ts';
import { phaseIssues, steelPhase, steelSets } from './validate-task-order.ts';

/** Tasks with the phases that an auditor gave them, and what their order must obey. */
export interface OrderedTasks {
  readonly tasks: readonly PlanTask[];
  readonly capabilities: CapabilityMap;
  readonly graph: Graph;
}

/** Phases that should stay, whatever the auditor says. */
export interface HeldPhases {
  readonly phases: ReadonlyMap<string, number>;
  /** Tasks whose phase a person chose: only that person gives it up. */
  readonly chosen: ReadonlySet<string>;
}

/**
 * The phase of each task: held phases stay, and a task that is not held follows its needs into the phase of a held one. Where
 * that does not fit, the auditor's phases count for the held tasks that are in the way, and never for a chosen one.
 */
export function fitPhases(
  ordered: OrderedTasks,
  { phases, chosen }: HeldPhases,
): ReadonlyMap<string, number> {
  const held = new Map(phases);
  for (;;) {
    const fitted = followHeld(ordered, held);
    const loose = findMisfits(ordered, fitted).filter((id) => held.has(id) && !chosen.has(id));
    if (loose.length === 0) return fitted;
    for (const id of loose) held.delete(id);
  }
}

/** Chosen phases that fit only if another held phase gives way, or not at all. */
export function contestedPhases(ordered: OrderedTasks, { phases, chosen }: HeldPhases): readonly string[] {
  return findMisfits(ordered, followHeld(ordered, phases)).filter((id) => chosen.has(id));
}

/** Other mistakes of the auditor stay: only what a held phase makes necessary is changed. */
function followHeld(
  { tasks, capabilities, graph }: OrderedTasks,
  held: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const given = new Map(tasks.map(({ id, phase }) => [id, phase]));
  const { steel, towards } = steelSets(tasks, capabilities, graph);
  const fitted = new Map<string, number>();
  /** Held, or where it is because of one that is. */
  const firm = new Set<string>();
  for (const id of graph.order) {
    const own = held.get(id) ?? getKnown(given, id);
    const needs = graph.needs(id).flatMap((need) => (firm.has(need) ? [getKnown(fitted, need)] : []));
    const least = Math.max(1, ...needs);
    const next = least === steelPhase && !towards.has(id) ? steelPhase + 1 : least;
    const mayFollow = !held.has(id) && least > own && (least <= steelPhase || !steel.has(id));
    fitted.set(id, mayFollow ? next : own);
    if (held.has(id) || (needs.length > 0 && getKnown(fitted, id) === next)) firm.add(id);
  }
  return fitted;
}

/** Tasks that stand in a phase where they may not, and the needs that are to blame for it. */
function findMisfits(
  { tasks, capabilities, graph }: OrderedTasks,
  phases: ReadonlyMap<string, number>,
): readonly string[] {
  const placed = tasks.map((task) => ({ ...task, phase: getKnown(phases, task.id) }));
  const byFile = new Map(placed.map((task) => [taskFile(task.id), task]));
  const misfits = phaseIssues(placed, capabilities, graph).flatMap(({ file, path }) => {
    const { id, dependencies } = getKnown(byFile, file);
    const [member, , index] = path;
    const need = member === 'dependencies' ? dependencies.tasks[Number(index)] : undefined;
    return need === undefined ? [id] : [id, need];
  });
  return [...new Set(misfits)].toSorted();
}
