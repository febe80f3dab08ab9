import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPlan } from '../src/app/plan-files/load-plan.ts';
import { boardOf } from '../src/model/plan/board.ts';
import { factsFor, type PlanDocuments, writeGoodPlan } from '../test/plans/good-plan.ts';
import type { Bench, BenchParts } from './bench.ts';
import { interleave, timed } from './interleave.ts';
import { resultOf, type Result, type Sides } from './result.ts';

const [many, half, few] = [10_000, 5000, 2500];

/** A plan on the disk. */
interface Written {
  readonly dir: string;
  readonly count: number;
  readonly plan: PlanDocuments;
}

/** A plan is read and checked anew whenever somebody may have edited it, so that must cost little more than reading it. */
export const plansBench: Bench = {
  name: 'plans',
  about:
    'reading and checking a plan of 10,000 tasks, against parsing its JSON; and against half and a quarter',
  async run(parts) {
    const [large, medium, small] = [many, half, few].map((count) => written(parts, count));
    if (large === undefined || medium === undefined || small === undefined) return [];
    const subject = `load, validate and ready set of ${many} tasks`;
    const sides = (name: string, floor: string, bar: number): Sides => ({
      bench: 'plans',
      name,
      subject,
      floor,
      unit: 'ms',
      bar,
    });
    const pairs = [
      {
        sides: sides('json', 'reading and JSON.parse of the same files', 5),
        floor: () => timed(() => parse(large)),
      },
      { sides: sides('half', `the same with ${half}`, 2.5), floor: () => timed(() => check(medium)) },
      { sides: sides('quarter', `the same with ${few}`, 5), floor: () => timed(() => check(small)) },
    ];
    const results: Result[] = [];
    for (const { sides: own, floor } of pairs) {
      const pair = { subject: () => timed(() => check(large)), floor };
      results.push(resultOf(own, await interleave(pair, parts.rounds, parts.progress)));
    }
    return results;
  },
};

function written({ folder }: BenchParts, count: number): Written {
  const dir = join(folder, `plan-${count}`);
  return { dir, count, plan: writeGoodPlan(dir, { tasks: count }) };
}

function check({ dir, count, plan }: Written): void {
  const read = readPlan(dir, factsFor(plan, join(dir, 'target')));
  if (!read.ok) throw new Error(read.error.map(({ message }) => message).join('\n'));
  const { ready, waiting } = boardOf(read.value.tasks.graph, () => ({ at: 'pending' }));
  if (ready.length + waiting.length !== count)
    throw new Error(`${ready.length + waiting.length} of ${count} tasks`);
}

function parse({ dir }: Written): void {
  readFileSync(join(dir, 'inputs/spec.md'), 'utf8');
  for (const folder of ['artifacts', 'tasks']) {
    for (const name of readdirSync(join(dir, folder)))
      JSON.parse(readFileSync(join(dir, folder, name), 'utf8'));
  }
}
