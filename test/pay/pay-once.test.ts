import { expect, test } from 'vitest';
import { planTypedAgain } from './scenarios.ts';

const planning = ['logical', 'physical', 'definition', 'validation', 'sequencing'];

test('tutti plan typed again after kill -9 adopts the planner that still works', async () => {
  expect(await planTypedAgain()).toEqual(planning);
});
