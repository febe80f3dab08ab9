import { expect, test } from 'vitest';
import { flowNames } from './flows.ts';
import { howMany, thinned } from './how-many.ts';
import { crashAt, pointsOf, undisturbed, type Swept } from './sweep.ts';

const wanted = howMany({ few: 2, many: 45 });

/** Two at a time: the machine has two cores, and each point is a process that starts others. */
async function sweep(flow: string, points: readonly number[], bug = ''): Promise<readonly Swept[]> {
  const queue = [...points];
  const swept: Swept[] = [];
  const worker = async () => {
    for (let point = queue.shift(); point !== undefined; point = queue.shift()) {
      swept.push(await crashAt(flow, point, bug));
    }
  };
  await Promise.all([worker(), worker()]);
  return swept.toSorted((a, b) => a.point - b.point);
}

test.for(flowNames)(
  '%s: killed at any boundary, it resumes with nothing lost and nothing run twice',
  { timeout: 600_000 },
  async (flow) => {
    const whole = await undisturbed(flow);
    const some = pointsOf(whole.boundaries, wanted);
    const points = wanted < 45 ? thinned(some, wanted) : some;
    const swept = await sweep(flow, points);
    const lost = swept.filter(
      ({ remains }) => remains.outcome !== 'SUCCESS' || remains.value !== whole.value,
    );
    const missing = swept.filter(({ remains }) =>
      whole.ledger.some((line) => !remains.ledger.includes(line)),
    );
    const twice = swept.filter(({ remains }) => remains.ledger.length > whole.ledger.length);
    const slowest = Math.max(...swept.map(({ remains }) => remains.resumedMs));
    process.stdout.write(
      `crash sweep ${flow}: ${points.length} of ${whole.boundaries.length} boundaries, ${lost.length} lost results, ` +
        `${twice.length} with something run twice, slowest resume ${Math.round(slowest)} ms\n`,
    );
    expect(
      swept.flatMap(({ point, problem }) =>
        problem === null ? [] : [`${whole.boundaries[point - 1] ?? ''} #${point}: ${problem}`],
      ),
    ).toEqual([]);
    expect(points.length).toBeGreaterThanOrEqual(Math.max(1, Math.min(wanted, 40) - 2));
    expect(lost.map(({ point }) => point)).toEqual([]);
    expect(missing.map(({ point }) => point)).toEqual([]);
    expect(twice.map(({ point, remains }) => [point, remains.ledger])).toEqual([]);
  },
);

test('the sweep can fail: without adoption, work is run twice', { timeout: 300_000 }, async () => {
  const whole = await undisturbed('parallel');
  const launched = whole.boundaries.flatMap((name, index) => (name === 'session:files' ? [index + 3] : []));
  const swept = await sweep('parallel', launched, 'no-adoption');
  expect(swept.some(({ remains }) => remains.ledger.length > whole.ledger.length)).toBe(true);
});
