import { expect, test } from 'vitest';
import { pauseThread } from './pause.ts';

test('a pause lasts at least as long as it was asked to', () => {
  const begun = performance.now();
  pauseThread(20);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(19);
});
