import { expect, test } from 'vitest';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { testSeed } from '../rig/test-seed.ts';
import { EditedPlan, specificationOf } from './edited-plan.ts';
import { editAndReplan } from './edits.ts';

/** Sequences of edits over a plan of thirty tasks: with REPLAN=all 200 edits, with REPLAN=many 40, otherwise 4. */
const edits = process.env['REPLAN'] === undefined ? 4 : 10;
const sequences = { all: 20, many: 4 }[process.env['REPLAN'] ?? ''] ?? 1;
const limit = { timeout: hangLimitMs };

test.each(Array.from({ length: sequences }, (_, n) => testSeed + n + 1))(
  'seed %i: hand edits and phases are kept, and the forecast equals the launches',
  limit,
  async (seed) => {
    const { did, wrong } = await editAndReplan(seed, edits);
    expect(wrong, did.join(', ')).toEqual([]);
  },
);

test('control: an author that nobody follows loses an edit', limit, async () => {
  const { wrong } = await editAndReplan(3, 3, 'overwrites');
  expect(wrong.join('\n')).toMatch(/the edit of T\d+ is lost/);
});

test('control: a forecast that counts new tasks only is not what is launched', limit, async () => {
  const { wrong } = await editAndReplan(3, 2, 'counts-new-only');
  expect(wrong.join('\n')).toMatch(/the forecast names/);
});

test(
  'a finished task that was removed and comes back is still finished, and changed it is a new attempt',
  limit,
  async () => {
    const wishes = new Map([1, 2, 3].map((n) => [n, `keeps record ${n}`]));
    const specification = (): string => specificationOf(wishes, 'Slowly.');
    using plan = await EditedPlan.open(specification(), null, 'stable');
    const again = async () => {
      await plan.plan(specification(), () => '');
      return (await plan.execute()).tasks;
    };
    expect(await again()).toEqual(['T001', 'T002', 'T003']);
    wishes.delete(3);
    expect(await again()).toEqual([]);
    wishes.set(3, 'keeps record 3');
    expect(await again()).toEqual([]);
    wishes.delete(3);
    await again();
    wishes.set(3, 'keeps record 3 well');
    expect(await again()).toEqual(['T003']);
  },
);
