import { getKnown } from '../../lib/get-known.ts';
import type { Graph } from '../graph.ts';
import { type CapabilityMap, steelThreadOf } from './capability-map.ts';
import { type PlanIssue, taskFile } from './plan-facts.ts';
import type { PlanTask } from './plan-task.ts';
import { joinedBy } from './steel-thread.ts';

/** The last phase that the steel thread may be in. */
export const steelPhase = 2;

/** The steel thread is one piece of work: whoever has a part of it says so, and its parts stand on each other. */
export function steelThreadIssues(
  tasks: readonly PlanTask[],
  capabilities: CapabilityMap,
  graph: Graph,
): readonly PlanIssue[] {
  const thread = new Set(steelThreadOf(capabilities));
  const unsaid = tasks.flatMap(({ id, context, behaviors }): readonly PlanIssue[] => {
    const behavior = behaviors.find((each) => thread.has(each));
    if (behavior === undefined || context.steel_thread) return [];
    const message = `must be true: ${behavior} is a part of the steel thread`;
    return [{ file: taskFile(id), path: ['context', 'steel_thread'], message }];
  });
  const [[main = ''] = [], ...apart] = joinedBy(graph, new Set(steelTasks(tasks, thread)));
  return [
    ...unsaid,
    ...apart.map(([id = '']) => ({
      file: taskFile(id),
      path: ['dependencies', 'tasks'],
      message: `the steel thread is not connected: no dependencies join ${id} and ${main}`,
    })),
  ];
}

/** 1: foundations, 2: the steel thread, 3 and more: features. */
export function phaseIssues(
  tasks: readonly PlanTask[],
  capabilities: CapabilityMap,
  graph: Graph,
): readonly PlanIssue[] {
  const phases = new Map(tasks.map(({ id, phase }) => [id, phase]));
  const { steel, towards } = steelSets(tasks, capabilities, graph);
  const issues: PlanIssue[] = [];
  for (const { id, phase, dependencies } of tasks) {
    const say = (path: PlanIssue['path'], message: string): unknown =>
      issues.push({ file: taskFile(id), path, message });
    for (const [index, need] of dependencies.tasks.entries()) {
      const other = getKnown(phases, need);
      if (other > phase) {
        say(
          ['dependencies', 'tasks', index],
          `${need} is in phase ${other}, after phase ${phase} of this task`,
        );
      }
    }
    if (steel.has(id) && phase > steelPhase) {
      say(['phase'], `is ${phase}, but the steel thread is built in phase ${steelPhase}`);
    }
    if (phase === steelPhase && !towards.has(id)) {
      say(
        ['phase'],
        `is ${phase}, the steel thread's, of which this task is no part: features are 3 and more`,
      );
    }
  }
  return issues;
}

/** Tasks of the steel thread, and these with everything that they need. */
export function steelSets(
  tasks: readonly PlanTask[],
  capabilities: CapabilityMap,
  graph: Graph,
): { readonly steel: ReadonlySet<string>; readonly towards: ReadonlySet<string> } {
  const steel = new Set(steelTasks(tasks, new Set(steelThreadOf(capabilities))));
  return { steel, towards: needed(graph, steel) };
}

function steelTasks(tasks: readonly PlanTask[], thread: ReadonlySet<string>): readonly string[] {
  return tasks
    .filter(({ context, behaviors }) => context.steel_thread || behaviors.some((each) => thread.has(each)))
    .map(({ id }) => id);
}

/** These and everything they need. */
function needed(graph: Graph, ids: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set(ids);
  for (const id of graph.order.toReversed()) {
    if (all.has(id)) for (const need of graph.needs(id)) all.add(need);
  }
  return all;
}
