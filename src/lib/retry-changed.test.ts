import { expect, test } from 'vitest';
import { untilUnchanged } from './retry-changed.ts';

test('a change that loses against another is decided again from what is there then', async () => {
  const answers = ['changed', 'changed', 7] as const;
  let asked = 0;
  const attempt = async (): Promise<7 | 'changed'> => answers[asked++] ?? 7;
  expect(await untilUnchanged(attempt)).toBe(7);
  expect(asked).toBe(3);
});

test('a change that loses for ever is given up with an error', async () => {
  let asked = 0;
  const attempt = async (): Promise<'changed'> => {
    asked += 1;
    return 'changed';
  };
  await expect(untilUnchanged(attempt)).rejects.toThrow('decided 100 times');
  expect(asked).toBe(100);
});
