import { expect, test } from 'vitest';
import { counted } from './counted.ts';

test('one is singular, everything else plural, also for a noun with its own plural', () => {
  expect([0, 1, 2].map((count) => counted(count, 'task'))).toEqual(['0 tasks', '1 task', '2 tasks']);
  expect([1, 2].map((count) => counted(count, 'launch', 'launches'))).toEqual(['1 launch', '2 launches']);
});
