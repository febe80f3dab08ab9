import { expect, test } from 'vitest';
import { isAtLeast, phaseAfter, planPhases } from './phase.ts';

test('phases follow each other, and the last is the last', () => {
  expect(planPhases.map(phaseAfter)).toEqual([...planPhases.slice(1), null]);
});

test('a plan has come as far as its phase and no further', () => {
  expect(isAtLeast('ready', 'logical')).toBe(true);
  expect(isAtLeast('ready', 'ready')).toBe(true);
  expect(isAtLeast('logical', 'ready')).toBe(false);
});
