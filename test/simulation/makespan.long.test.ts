import { expect, test } from 'vitest';
import { families, makespans, percentile } from './makespan.ts';

const slots = 3;
const plansOfSize = { 20: 120, 50: 40, 200: 8 };

test('through the real scheduler at 3 slots, plans take little longer than they must, and much less than in batches', async () => {
  const rows = await makespans(slots, plansOfSize);
  for (const { family, count, ratios, gains } of rows) {
    const [p50, p95, gain] = [percentile(ratios, 0.5), percentile(ratios, 0.95), percentile(gains, 0.5)];
    process.stdout.write(
      `makespan: ${family} ${count} tasks, ${ratios.length} plans: p50 ${p50.toFixed(2)}, p95 ${p95.toFixed(2)} of the ` +
        `lower bound; ${gain.toFixed(2)}x faster than a barrier loop\n`,
    );
    expect(Math.min(...ratios), 'nothing is faster than possible').toBeGreaterThanOrEqual(0.999_999);
  }
  for (const family of Object.keys(families)) {
    const own = rows.filter((row) => row.family === family);
    const ratios = own.flatMap((row) => row.ratios);
    expect(percentile(ratios, 0.5), `${family}, p50`).toBeLessThanOrEqual(1.12);
    expect(percentile(ratios, 0.95), `${family}, p95`).toBeLessThanOrEqual(1.45);
    expect(
      percentile(
        own.flatMap((row) => row.gains),
        0.5,
      ),
      `${family}, gain`,
    ).toBeGreaterThanOrEqual(1.15);
  }
});
