import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { lines } from './project.ts';

test('the demo writes a library that passes its tests, survives its own SIGKILL, and runs nothing twice', {
  timeout: 300_000,
}, async () => {
  using folder = tempFolder();
  const kept = join(folder.path, 'kept');
  const { code, stdout, stderr } = await tutti(folder.path, 'demo', '--keep', kept);
  expect(code, stderr + stdout).toBe(0);
  expect(stdout).toMatch(/SIGKILL: the orchestrator \(process \d+\) is gone; 9 turns were finished/);
  expect(stdout).toMatch(/works on without it: session \S+, process \d+/);
  expect(stdout).toMatch(/✕ T002\/accept-1: .*ended with exit code 1/);
  expect(stdout).toMatch(/✔ T002\/accept-1: .*passed after/);
  expect(stdout).toMatch(/tutti answer Q2 "left out"/);
  expect(stdout).not.toContain('no process advances it');
  expect(stdout).toMatch(/merged 15 files of plan tiny-duration into \S+/);
  expect(stdout).toMatch(/Tests of the library that was written: [1-9]\d* passed, 0 failed/);
  expect(stdout).toMatch(/Played again after it: 0\./);
  const report = /The whole story: (\S+)/.exec(stdout)?.[1] ?? '';
  expect(existsSync(report)).toBe(true);
  const turns = lines(join(kept, 'turns.log'));
  expect(turns.length).toBe(21);
  expect(new Set(turns).size).toBe(21);
});
