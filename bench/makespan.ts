import { families, makespans } from '../test/simulation/makespan.ts';
import type { Bench } from './bench.ts';
import type { Result } from './result.ts';
import { quantile, spreadOf } from './spread.ts';

const slots = 3;
/** Plans of each size; small ones vary more, so there are more of them. */
const plansOfSize = { 20: 120, 50: 40, 200: 8 };

const bars = [
  { name: 'p50', share: 0.5, bar: 1.12 },
  { name: 'p95', share: 0.95, bar: 1.45 },
];

/** How much longer than it must does a plan take? Virtual time and fixed seeds: the same figures on every machine. */
export const makespanBench: Bench = {
  name: 'makespan',
  about: 'makespan through the real scheduler at 3 slots on a virtual clock, against the lower bound',
  async run({ progress }) {
    const rows = await makespans(slots, plansOfSize);
    progress();
    return Object.keys(families).flatMap((family) => {
      const ratios = rows.filter((row) => row.family === family).flatMap((row) => row.ratios);
      return bars.map((bar) => resultFor(family, ratios, bar));
    });
  },
};

function resultFor(
  family: string,
  ratios: readonly number[],
  { name, share, bar }: (typeof bars)[number],
): Result {
  const figure = quantile(
    ratios.toSorted((a, b) => a - b),
    share,
  );
  return {
    bench: 'makespan',
    name: `${family} ${name}`,
    subject: `makespan of plans of 20, 50 and 200 tasks at ${slots} slots, ${name}`,
    floor: 'the longer of critical path and work / slots',
    unit: '',
    rounds: ratios.length,
    subjectSpread: null,
    floorSpread: null,
    ratio: spreadOf(ratios),
    figure,
    bar,
    verdict: figure <= bar ? 'met' : 'missed',
    why: null,
  };
}
