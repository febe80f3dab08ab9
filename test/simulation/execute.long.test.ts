import { expect, test } from 'vitest';
import { behind, executePlan } from './execute.ts';
import { families, percentile } from './makespan.ts';

const size = { count: 200, slots: 3 };
const seeds = [1, 2, 3, 4, 5];

test.for(Object.keys(families))(
  '%s: 200-task plans at 3 slots take little longer than they must, and much less than in batches',
  { timeout: 300_000 },
  async (family) => {
    const shape = families[family] ?? (() => []);
    const plans = [];
    for (const seed of seeds) plans.push(await executePlan(shape, seed, { ...size, failingShare: 0 }));
    const [ratios, gains] = [plans.map(({ ratio }) => ratio), plans.map(({ gain }) => gain)];
    process.stdout.write(
      `execute: ${family} 200 tasks, ${plans.length} plans: p50 ${percentile(ratios, 0.5).toFixed(3)}, ` +
        `worst ${Math.max(...ratios).toFixed(3)} of the lower bound; ${percentile(gains, 0.5).toFixed(2)}x faster than batches\n`,
    );
    for (const { played, most } of plans) {
      expect(played.outcome).toBe('SUCCESS');
      expect(most).toBe(3);
    }
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(0.999_999);
    expect(percentile(ratios, 0.5)).toBeLessThanOrEqual(1.12);
    expect(percentile(gains, 0.5)).toBeGreaterThanOrEqual(1.15);
  },
);

test.for(Object.keys(families))(
  '%s: with one task in twenty failing, exactly what needs them is blocked and everything else is done',
  { timeout: 300_000 },
  async (family) => {
    const shape = families[family] ?? (() => []);
    let failed = 0;
    let blocked = 0;
    const ratios: number[] = [];
    for (const seed of seeds.slice(0, 3)) {
      const plan = await executePlan(shape, seed, { ...size, failingShare: 0.05 });
      const barred = behind(plan.nodes, plan.failing);
      // A task that would fail and stands behind one that fails never comes to it.
      const expected = Object.fromEntries(
        plan.nodes.map(({ id }) => [
          id,
          barred.has(id) ? 'blocked' : plan.failing.has(id) ? 'failed' : 'done',
        ]),
      );
      const found = Object.entries(plan.played.verdicts).map(([id, { at }]) => [id, at] as const);
      expect(Object.fromEntries(found)).toEqual(expected);
      failed += found.filter(([, at]) => at === 'failed').length;
      blocked += found.filter(([, at]) => at === 'blocked').length;
      ratios.push(plan.ratio);
    }
    process.stdout.write(
      `execute: ${family}, 5 % failing: ${failed} failed, ${blocked} blocked, p50 ${percentile(ratios, 0.5).toFixed(3)} of the bound\n`,
    );
    expect(failed).toBeGreaterThan(0);
    expect(percentile(ratios, 0.5)).toBeLessThanOrEqual(1.12);
  },
);
