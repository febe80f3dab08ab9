import { expect, test } from 'vitest';
import { median } from './median.ts';

test('the median is the middle of what is known, and one odd value does not move it', () => {
  expect(median([])).toBeNull();
  expect(median([null, null])).toBeNull();
  expect(median([3, null, 1, 1000])).toBe(3);
  expect(median([4, 2])).toBe(3);
});
