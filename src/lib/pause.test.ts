import { expect, test } from 'vitest';
import { pauseThread } from './pause.ts';

test('nothing else of this thread runs during a pause', async () => {
  const seen: string[] = [];
  const other = new Promise<void>((resolve) => {
    setTimeout(() => {
      seen.push('other');
      resolve();
    }, 1);
  });
  pauseThread(20);
  seen.push('paused');
  await other;
  expect(seen).toEqual(['paused', 'other']);
});
