import { expect, test } from 'vitest';
import { cheap } from '../execute/project.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { crashAt, type Remains, type Swept, type SweptPlan, undisturbed } from './execute-sweep.ts';
import { howMany, thinned } from './how-many.ts';
import { pointsOf } from './sweep.ts';

const plain: SweptPlan = { documents: cheap(goodPlan({ tasks: 2 })), how: 'execute' };

/** T002 is healed; T004 and T005 write one file that neither declares, T005 from before T004 has landed; T003 writes more. */
const troubled: SweptPlan = {
  documents: cheap(goodPlan({ tasks: 5 })),
  how: 'resume',
  rules: {
    T002: { content: 'not yet\n' },
    'T002/heal-1': { content: 'keep it\n' },
    T003: { also: { 'more.txt': 'more\n' } },
    T004: { also: { 'shared.txt': 'from T004\n' }, waitFor: 'begun-T005' },
    T005: {
      also: { 'shared.txt': 'from T005\n' },
      touch: 'begun-T005',
      waitFor: '.tutti/plans/records/bundles/T004-result.json',
    },
    'T005/rebase-1': { resolve: ['shared.txt'] },
  },
};

/** Spread over every kind of boundary, or over the whole way: each takes seconds. */
function chosen(boundaries: readonly string[], wanted: number, over: 'kinds' | 'way'): readonly number[] {
  const points = over === 'kinds' ? pointsOf(boundaries, wanted) : boundaries.map((_, index) => index + 1);
  return thinned(points, wanted);
}

/** Two at a time: each point is a process that starts others. */
async function sweep(
  plan: SweptPlan,
  points: readonly number[],
  bug: string | null = null,
): Promise<readonly Swept[]> {
  const queue = [...points];
  const swept: Swept[] = [];
  const worker = async () => {
    for (let point = queue.shift(); point !== undefined; point = queue.shift()) {
      swept.push(await crashAt(plan, point, bug));
    }
  };
  await Promise.all([worker(), worker()]);
  return swept.toSorted((a, b) => a.point - b.point);
}

function withoutBoundaries({ boundaries: _boundaries, ...rest }: Remains): Omit<Remains, 'boundaries'> {
  return rest;
}

async function expectUnharmed(
  name: string,
  plan: SweptPlan,
  wanted: number,
  over: 'kinds' | 'way',
): Promise<Remains> {
  const whole = await undisturbed(plan);
  const points = chosen(whole.boundaries, wanted, over);
  const swept = await sweep(plan, points);
  const place = ({ point }: Swept) => `${whole.boundaries[point - 1] ?? ''} #${point}`;
  const twice = swept.filter(({ remains }) => remains.ledger.length > whole.ledger.length);
  process.stdout.write(
    `crash sweep execute, ${name}: ${points.length} of ${whole.boundaries.length} boundaries, ` +
      `${swept.filter(({ problem }) => problem !== null).length} did not finish, ${twice.length} with a turn run twice\n`,
  );
  expect(swept.flatMap((one) => (one.problem === null ? [] : [`${place(one)}: ${one.problem}`]))).toEqual([]);
  expect(points.length).toBeGreaterThanOrEqual(Math.min(wanted, whole.boundaries.length) - 1);
  for (const one of swept)
    expect(withoutBoundaries(one.remains), place(one)).toEqual(withoutBoundaries(whole));
  return whole;
}

const patient = { timeout: 1_200_000 };

test(
  'execute: killed at any boundary, it goes on: no turn lost or repeated, no branch left, nothing half merged',
  patient,
  async () => {
    const whole = await expectUnharmed('plain', plain, howMany({ few: 8, many: 24 }), 'kinds');
    expect(whole).toMatchObject({
      outcome: 'SUCCESS',
      tasks: { T001: 'done', T002: 'done' },
      rescues: [],
      workspaces: [],
    });
  },
);

test('execute: the same while tasks are healed, widened, in conflict and rebased', patient, async () => {
  const whole = await expectUnharmed('troubled', troubled, howMany({ few: 4, many: 14 }), 'way');
  expect(whole.outcome).toBe('SUCCESS');
  expect(whole.ledger).toContain('T005/rebase-1 end');
  expect(whole.landed).toHaveLength(6);
});

test('the sweep can fail: without adoption, turns are run twice', patient, async () => {
  const whole = await undisturbed(plain);
  // On a busy machine a turn begins a boundary sooner or later: one of these is killed while it works.
  const launched = whole.boundaries.flatMap((name, index) =>
    name === 'session:files' ? [index + 2, index + 3, index + 4] : [],
  );
  let twice = false;
  for (let from = 0; from < launched.length && !twice; from += 6) {
    const swept = await sweep(plain, launched.slice(from, from + 6), 'no-adoption');
    twice = swept.some(({ remains }) => remains.ledger.length > whole.ledger.length);
  }
  expect(twice).toBe(true);
});
