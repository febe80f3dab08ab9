import { expect, test } from 'vitest';
import { filterAsync, findAsync } from './async-list.ts';

const isEven = async (n: number): Promise<boolean> => n % 2 === 0;

test('a list is filtered by an answer that has to be waited for, in its order', async () => {
  expect(await filterAsync([4, 1, 2, 3], isEven)).toEqual([4, 2]);
});

test('the first member that fits is found, and no later one is asked', async () => {
  const asked: number[] = [];
  const holds = async (n: number): Promise<boolean> => {
    asked.push(n);
    return isEven(n);
  };
  expect(await findAsync([1, 2, 4], holds)).toBe(2);
  expect(asked).toEqual([1, 2]);
  expect(await findAsync([1, 3], isEven)).toBeUndefined();
});
