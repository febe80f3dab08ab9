import type { Ctx, Workflow } from '../../src/kernel/ctx.ts';
import { graphOf, type Graph, type GraphNode } from '../../src/model/graph.ts';
import type { Json } from '../../src/lib/json.ts';
import { setProbe } from '../../src/lib/probe.ts';
import type { AttemptEnd, Host } from '../../src/model/ports/host.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { engineOf, newRun, workflowsOf } from '../rig/engine.ts';
import { VirtualClock } from '../rig/virtual-clock.ts';
import { Random } from './random.ts';

/** A task of the plan and how long it will take; the scheduler is told the first and not the second. */
export interface TimedNode extends GraphNode {
  readonly durationMs: number;
}

export type DagFamily = (random: Random, count: number) => readonly (readonly number[])[];

const upTo = (random: Random, most: number, from: readonly number[]): number[] => [
  ...new Set(Array.from({ length: most }, () => random.pick(from)).filter((one) => one !== undefined)),
];

/** Shapes of plans; each gives, for every task, the numbers of the tasks it needs. */
export const families: Readonly<Record<string, DagFamily>> = {
  independent: (_random, count) => Array.from({ length: count }, () => []),
  sparse: (random, count) =>
    Array.from({ length: count }, (_, n) =>
      upTo(
        random,
        random.below(3),
        Array.from({ length: n }, (__, m) => m),
      ),
    ),
  layered: (random, count) => {
    const width = 5;
    return Array.from({ length: count }, (_, n) => {
      const layer = Math.floor(n / width);
      const before = Array.from({ length: width }, (__, m) => (layer - 1) * width + m);
      return layer === 0 ? [] : upTo(random, 1 + random.below(3), before);
    });
  },
  // One task opens five, one joins them, and so on.
  forkjoin: (_random, count) =>
    Array.from({ length: count }, (_, n) => {
      const place = n % 6;
      if (place === 0) return n === 0 ? [] : [n - 5, n - 4, n - 3, n - 2, n - 1];
      return [n - place];
    }),
};

/** Lognormal, median 8 minutes, sigma 1: assumed, as in the measurements this repeats. */
export function randomNodes(random: Random, family: DagFamily, count: number): readonly TimedNode[] {
  return family(random, count).map((needs, n) => {
    const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
    return {
      id: `t${n}`,
      needs: needs.map((need) => `t${need}`),
      durationMs: Math.max(1, Math.round(8 * 60_000 * Math.exp(normal))),
    };
  });
}

/** No schedule can be shorter; the shortest possible one may well be longer. */
export function lowerBoundMs(nodes: readonly TimedNode[], slots: number): number {
  const work = nodes.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const ends = new Map<string, number>();
  for (const { id, needs, durationMs } of nodes) {
    ends.set(id, durationMs + Math.max(0, ...needs.map((need) => ends.get(need) ?? 0)));
  }
  return Math.max(work / slots, ...ends.values());
}

/** Seed E's loop: start as many ready tasks as there are slots, wait for all of them, look again. */
export function barrierMs(nodes: readonly TimedNode[], slots: number): number {
  const done = new Set<string>();
  let totalMs = 0;
  while (done.size < nodes.length) {
    const batch = nodes
      .filter(({ id, needs }) => !done.has(id) && needs.every((need) => done.has(need)))
      .slice(0, slots);
    totalMs += Math.max(...batch.map(({ durationMs }) => durationMs));
    for (const { id } of batch) done.add(id);
  }
  return totalMs;
}

/** Through the real plan, engine, admission and store, on a clock that jumps from end to end. */
async function continuousMs(nodes: readonly TimedNode[], slots: number): Promise<number> {
  const plan = graphOf(nodes);
  if (!plan.ok) throw new Error('the plan has a problem');
  const clock = new VirtualClock();
  using store = new SqliteStore({
    path: ':memory:',
    clock,
    maxSessions: slots,
    isAlive: () => true,
    schedule: (flush) => {
      flush();
    },
  });
  let probes = 0;
  setProbe(() => {
    probes += 1;
  });
  const workflows = workflowsOf(planned(nodes, plan.value));
  using engine = engineOf({ store, host: timedHost(nodes, clock), clock, workflows });
  await store.start(newRun('r', 'plan', null, { concurrency: slots }));
  const startedAt = clock.wall();
  let over = false;
  const advanced = engine.advance('r', { stay: true }).finally(() => {
    over = true;
  });
  for (;;) {
    for (let seen = -1; seen !== probes; ) {
      seen = probes;
      for (let turns = 0; turns < 4; turns += 1) await clock.settle();
    }
    if (over) break;
    clock.advance(clock.nextDueMs() ?? 0);
  }
  setProbe(null);
  await advanced;
  return clock.wall() - startedAt;
}

function planned(nodes: readonly TimedNode[], plan: Graph): Workflow {
  const run = async (ctx: Ctx): Promise<Json> => {
    const ends = new Map<string, Promise<unknown>>();
    const end = async ({ id, needs }: TimedNode): Promise<void> => {
      for (const need of needs) await ends.get(need);
      await ctx.operation(id, 'digest', { globs: [] }, { workspace: '/w', priority: plan.priority(id) });
    };
    await ctx.all(
      nodes.map((node) => () => {
        const ended = end(node);
        ends.set(node.id, ended);
        return ended;
      }),
    );
    return null;
  };
  return { name: 'plan', run };
}

function timedHost(nodes: readonly TimedNode[], clock: VirtualClock): Host {
  const durations = new Map(nodes.map(({ id, durationMs }) => [id, durationMs]));
  const launch: Host['launch'] = ({ key }) =>
    new Promise<AttemptEnd>((resolve) => {
      clock.timer(clock.wall() + (durations.get(key) ?? 0), () => {
        resolve({ completion: { at: 'done', outcome: 'SUCCESS', value: null }, session: null });
      });
    });
  return { launch, adopt: launch, end: () => undefined };
}

export interface MakespanRow {
  readonly family: string;
  readonly count: number;
  readonly ratios: readonly number[];
  readonly gains: readonly number[];
}

/** `plans` plans of every family and size at the given number of slots. */
export async function makespans(
  slots: number,
  sizes: Readonly<Record<number, number>>,
): Promise<readonly MakespanRow[]> {
  const rows: MakespanRow[] = [];
  for (const [family, shape] of Object.entries(families)) {
    for (const [size, plans] of Object.entries(sizes)) {
      const count = Number(size);
      const ratios: number[] = [];
      const gains: number[] = [];
      for (let seed = 1; seed <= plans; seed += 1) {
        const nodes = randomNodes(new Random(seed * 7919 + count), shape, count);
        const continuous = await continuousMs(nodes, slots);
        ratios.push(continuous / lowerBoundMs(nodes, slots));
        gains.push(barrierMs(nodes, slots) / continuous);
      }
      rows.push({ family, count, ratios, gains });
    }
  }
  return rows;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
