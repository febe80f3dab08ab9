import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { achievedLimits } from './achieved-limits.ts';

test('limits that were not asked for are null, and nothing but words and null is taken from the file', () => {
  using folder = tempFolder();
  const state = { limits: { memory: null, processes: 'cgroup', cpu: 'none', disk: 7, tree: ['x'] } };
  writeFileSync(join(folder.path, 'state.json'), JSON.stringify(state));
  expect(achievedLimits(folder.path)).toEqual({ memory: null, processes: 'cgroup', cpu: 'none' });
});

test('a session without a readable state says nothing about limits', () => {
  using folder = tempFolder();
  expect(achievedLimits(null)).toEqual({});
  expect(achievedLimits(folder.path)).toEqual({});
  writeFileSync(join(folder.path, 'state.json'), '{');
  expect(achievedLimits(folder.path)).toEqual({});
});
