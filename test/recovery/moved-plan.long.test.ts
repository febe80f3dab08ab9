import { existsSync, renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Example } from '../e2e/example.ts';
import { startTutti } from '../rig/program.ts';

test('a plan of a project that was renamed is worked on only where it was made', async () => {
  using example = new Example();
  await example.planned();
  await example.done('execute', '--task', 'T001');
  const played = example.turns();
  const renamed = `${example.path}-renamed`;
  renameSync(example.path, renamed);
  const there = (...args: readonly string[]) => startTutti(renamed, args, { HOME: example.home }).ended;
  for (const words of [['execute'], ['land']]) {
    const { code, stderr } = await there(...words);
    expect([code, stderr], words.join(' ')).toEqual([
      69,
      expect.stringMatching(/belongs to a plan of .*\/project, [^]*move the project back/),
    ]);
  }
  expect(existsSync(example.path)).toBe(false);
  renameSync(renamed, example.path);
  await example.done('execute');
  await example.done('land');
  expect(example.turns().slice(0, played.length)).toEqual(played);
  expect(example.test()).toContain('fail 0');
});
