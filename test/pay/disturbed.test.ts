import { expect, test } from 'vitest';
import { testSeed } from '../rig/test-seed.ts';
import { DisturbedPlan, disturb, undisturbedTurns } from './disturbed.ts';

const all = process.env['PAY'] !== undefined;

test('ceilings of 1 to N launches, raised one by one, pay for one turn each and for none twice', async () => {
  const turns = await undisturbedTurns();
  using plan = new DisturbedPlan();
  for (let launches = 1; launches <= turns.length; launches += 1) {
    await plan.execute({ launches, answers: true });
    expect(plan.turns).toHaveLength(launches);
  }
  expect(plan.turns).toEqual(turns);
  expect(plan.isDone()).toBe(true);
});

test('every choice of tasks, halts, answers, ceilings and resumes pays for the same turns', async () => {
  const turns = await undisturbedTurns();
  const seeds = Array.from({ length: all ? 200 : 20 }, (_, n) => testSeed + n + 1);
  for (const seed of seeds) {
    const disturbed = await disturb(seed);
    expect(disturbed.turns, `seed ${seed}: ${disturbed.did.join(', ')}`).toEqual(turns);
  }
});

test('control: turns that run again after a ceiling or a choice are seen', async () => {
  const turns = await undisturbedTurns();
  using plan = new DisturbedPlan('tries-again');
  await plan.execute({ launches: 2, answers: true });
  await plan.execute({ answers: true });
  expect(plan.turns.length).toBeGreaterThan(turns.length);
  let caught = 0;
  for (const seed of [1, 2, 3, 4, 5]) {
    if ((await disturb(seed, 'tries-again')).turns.join() !== turns.join()) caught += 1;
  }
  expect(caught).toBeGreaterThan(0);
});
