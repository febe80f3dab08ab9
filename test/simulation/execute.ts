import { graphOf } from '../../src/model/graph.ts';
import { task, inputOf } from '../execute/plan.ts';
import type { Script } from '../execute/steered-plan.ts';
import { ExecuteWorld, type Played } from '../execute/world.ts';
import { barrierMs, type DagFamily, lowerBoundMs, randomNodes, type TimedNode } from './makespan.ts';
import { Random } from './random.ts';

export interface ExecutedPlan {
  readonly nodes: readonly TimedNode[];
  readonly failing: ReadonlySet<string>;
  readonly played: Played;
  /** Time against the shortest that is possible for the tasks that ran. */
  readonly ratio: number;
  /** How often faster than the batch loop of seed E, over the same tasks. */
  readonly gain: number;
  readonly most: number;
}

/** A random plan through the real workflow, engine, admission and store; only agents and the clock are pretended. */
export async function executePlan(
  family: DagFamily,
  seed: number,
  {
    count,
    slots,
    failingShare,
  }: { readonly count: number; readonly slots: number; readonly failingShare: number },
): Promise<ExecutedPlan> {
  const random = new Random(seed * 7919 + count);
  const nodes = randomNodes(random, family, count);
  const failing = new Set(nodes.filter(() => random.next() < failingShare).map(({ id }) => id));
  const scripts: Record<string, Script> = {};
  for (const { id, durationMs } of nodes) {
    // One that fails is escalated at once: what it costs is one turn, as in the measure.
    scripts[id] = failing.has(id)
      ? { takesMs: durationMs, says: ['NEEDS_ESCALATION'] }
      : { takesMs: durationMs };
  }
  using world = new ExecuteWorld(scripts);
  const tasks = nodes.map(({ id, needs }) => task(id, needs));
  await world.submit(inputOf(tasks, { verify: false }), slots);
  const played = await world.play();
  const ran = nodes.filter(({ id }) => played.verdicts[id]?.at !== 'blocked');
  return {
    nodes,
    failing,
    played,
    ratio: played.tookMs / lowerBoundMs(ran, slots),
    gain: barrierMs(ran, slots) / played.tookMs,
    most: world.machine.most,
  };
}

/** What must not run when these fail, found without the code under test: everything that can be reached from them. */
export function behind(nodes: readonly TimedNode[], failing: ReadonlySet<string>): ReadonlySet<string> {
  const graph = graphOf(nodes);
  if (!graph.ok) throw new Error('the plan has a problem');
  const found = new Set<string>();
  const queue = [...failing];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const next of graph.value.dependents(id)) {
      if (!found.has(next)) queue.push(next);
      found.add(next);
    }
  }
  return found;
}
