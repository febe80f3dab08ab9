import { expect, test } from 'vitest';
import { cheap } from '../execute/project.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { crashAt, type Swept, undisturbed } from './execute-sweep.ts';
import { pointsOf } from './sweep.ts';

const wanted = process.env['CRASH_ALL'] === undefined ? 24 : Number.MAX_SAFE_INTEGER;
const documents = cheap(goodPlan({ tasks: 2 }));

/** Spread over everything there is: each takes seconds. */
function chosen(boundaries: readonly string[]): readonly number[] {
  const points = pointsOf(boundaries, wanted);
  const stride = Math.max(1, points.length / wanted);
  return points.filter((_, index) => Math.floor(index / stride) !== Math.floor((index - 1) / stride));
}

/** Two at a time: each point is a process that starts others. */
async function sweep(points: readonly number[], bug = ''): Promise<readonly Swept[]> {
  const queue = [...points];
  const swept: Swept[] = [];
  const worker = async () => {
    for (let point = queue.shift(); point !== undefined; point = queue.shift()) {
      swept.push(await crashAt(documents, point, bug));
    }
  };
  await Promise.all([worker(), worker()]);
  return swept.toSorted((a, b) => a.point - b.point);
}

test('execute: killed at any boundary, it goes on: no turn lost or repeated, no branch left, nothing half merged', {
  timeout: 1_200_000,
}, async () => {
  const whole = await undisturbed(documents);
  expect(whole.tasks).toEqual({ T001: 'done', T002: 'done' });
  const points = chosen(whole.boundaries);
  const swept = await sweep(points);
  const place = ({ point }: Swept) => `${whole.boundaries[point - 1] ?? ''} #${point}`;
  const twice = swept.filter(({ remains }) => remains.ledger.length > whole.ledger.length);
  process.stdout.write(
    `crash sweep execute: ${points.length} of ${whole.boundaries.length} boundaries, ` +
      `${swept.filter(({ problem }) => problem !== null).length} did not finish, ${twice.length} with a turn run twice\n`,
  );
  expect(swept.flatMap((one) => (one.problem === null ? [] : [`${place(one)}: ${one.problem}`]))).toEqual([]);
  expect(points.length).toBeGreaterThanOrEqual(18);
  const { boundaries: _boundaries, ...expected } = whole;
  for (const one of swept) {
    const { boundaries: _own, ...found } = one.remains;
    expect(found, place(one)).toEqual(expected);
  }
});

test('the sweep can fail: without adoption, turns are run twice', { timeout: 300_000 }, async () => {
  const whole = await undisturbed(documents);
  const launched = whole.boundaries.flatMap((name, index) => (name === 'session:files' ? [index + 3] : []));
  const swept = await sweep(launched.slice(0, 2), 'no-adoption');
  expect(swept.some(({ remains }) => remains.ledger.length > whole.ledger.length)).toBe(true);
});
