import { expect, test } from 'vitest';
import { wantsColour } from './main.ts';

test.for([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
] as const)('colour with %j on a terminal (%s): %s', ([env, isTerminal, expected]) => {
  expect(wantsColour(env, isTerminal)).toBe(expected);
});
