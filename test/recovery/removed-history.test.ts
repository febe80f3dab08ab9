import { realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTutti, writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

test('where the state of a project was removed, the commands that find no runs name the one that restores them', async () => {
  using folder = tempFolder();
  const place = realpathSync(folder.path);
  const path = join(place, 'project');
  writeProject(path, { 'flow.yaml': { steps: [{ id: 'a', command: ['true'] }] } });
  const tutti = (...args: readonly string[]) => startTutti(path, args, { HOME: place }).ended;
  expect((await tutti('runs')).stdout).toContain('no runs yet');
  expect((await tutti('run', 'flow.yaml', '--run-id', 'old')).code).toBe(0);
  rmSync(join(path, '.tutti'), { recursive: true });
  for (const word of ['runs', 'status'])
    expect((await tutti(word)).stdout).toContain('restore its runs: tutti recover');
  expect((await tutti('recover')).code).toBe(0);
  expect((await tutti('runs')).stdout).toContain('old');
});
