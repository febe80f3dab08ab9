import { expect, test } from 'vitest';
import { testSeed } from '../rig/test-seed.ts';
import { simulate, type SeedReport } from './simulation.ts';

const dayMs = 86_400_000;

/** How many seeds of each hundred are simulated a second time, to see that a seed says everything. */
const replayEvery = 100;

/** Seeds of one run; with `TEST_SEED` other 20,000. */
const all = 20_000;
const moved = testSeed === 0 ? 0 : (1 + (testSeed % 10_000)) * all;

/** A share of the 20,000 seeds; `SIM_SEED=n` runs that one alone and shows what happened. */
export function seeds(from: number, to: number): void {
  const [first, last] = [from + moved, to + moved];
  const only = process.env['SIM_SEED'];
  if (only !== undefined) {
    test(`seed ${only}`, async () => {
      const report = await simulate(Number(only));
      process.stdout.write(`${report.trace.join('\n')}\n`);
      expect(report.breaches).toEqual([]);
    });
    return;
  }

  test(`seeds ${first} to ${last}: the invariants hold whatever chance does`, {
    timeout: 900_000,
  }, async () => {
    const total = { crashes: 0, launches: 0, days: 0 };
    for (let seed = first; seed <= last; seed += 1) {
      const report = await simulate(seed);
      demand(seed, report);
      total.crashes += report.crashes;
      total.launches += report.launches;
      if (report.virtualMs >= dayMs) total.days += 1;
      if (seed % replayEvery === 0)
        expect((await simulate(seed)).trace, `replay of seed ${seed}`).toEqual(report.trace);
    }
    process.stdout.write(
      `simulation: ${last - first + 1} seeds, ${total.crashes} crashes, ${total.launches} launches, ` +
        `${total.days} seeds of a day or longer, 0 breaches\n`,
    );
    const count = last - first + 1;
    expect(total.days).toBeGreaterThanOrEqual(count * 0.04);
    expect(total.crashes).toBeGreaterThanOrEqual(count);
  });
}

function demand(seed: number, { breaches }: SeedReport): void {
  if (breaches.length === 0) return;
  throw new Error(
    `seed ${seed}: ${breaches.join('; ')}\nreplay it: SIM_SEED=${seed} node_modules/.bin/node ` +
      'node_modules/.bin/vitest run test/simulation/seeds.test.ts --coverage.enabled=false',
  );
}
