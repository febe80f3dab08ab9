import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { confinedVariable } from '../model/command-relay.ts';
import { confinementOf, readNamedFile, refuseFolder, refuseProject } from './confinement.ts';
import { locate } from './tutti.ts';

function stage(folder: string) {
  const at = (name: string): string => join(realpathSync(folder), name);
  for (const name of ['project/sub', 'other']) mkdirSync(at(name), { recursive: true });
  for (const name of ['project/task.md', 'other/task.md']) writeFileSync(at(name), 'text');
  symlinkSync('../other', at('project/link'));
  const confinement = { project: at('project'), places: [at('project')] };
  return { at, env: { HOME: folder, [confinedVariable]: JSON.stringify(confinement) } };
}

test('a command of a person may name any file, folder and project', () => {
  using folder = tempFolder();
  const { at } = stage(folder.path);
  expect(confinementOf({})).toBeNull();
  expect(readNamedFile(at('project/link/task.md'), 100, {})).toMatchObject({ value: 'text' });
  expect([refuseFolder(at('other'), {}), refuseProject(at('other'), {})]).toEqual([null, null]);
});

test('a command for a sandboxed agent may name what lies in the places of its session, wherever links lead', () => {
  using folder = tempFolder();
  const { at, env } = stage(folder.path);
  expect(readNamedFile(at('project/task.md'), 100, env)).toMatchObject({ value: 'text' });
  for (const path of ['other/task.md', 'project/link/task.md', 'project/../other/task.md'])
    expect(readNamedFile(at(path), 100, env)).toMatchObject({ ok: false, error: { why: 'unusable' } });
  for (const path of ['project', 'project/sub', 'project/new/deep'])
    expect(refuseFolder(at(path), env)).toBeNull();
  for (const path of ['other', 'project/link', 'project/link/new', 'project/../other'])
    expect(refuseFolder(at(path), env)).toMatchObject({ outcome: 'USAGE' });
});

test('a sandboxed agent may use only its own project', () => {
  using folder = tempFolder();
  const { at, env } = stage(folder.path);
  writeFileSync(at('project/tutti.yaml'), '');
  expect(locate({ folder: at('project/sub'), env })).toMatchObject({ ok: true });
  for (const path of ['other', 'project/link']) {
    writeFileSync(at('other/tutti.yaml'), '');
    expect(locate({ folder: at(path), env })).toMatchObject({
      error: { message: expect.stringContaining('may use only its own project') },
    });
  }
});

test('a confinement that cannot be read allows nothing', () => {
  using folder = tempFolder();
  const { at } = stage(folder.path);
  for (const told of ['', '{', '{"project":"/"}'])
    expect(refuseProject(at('project'), { [confinedVariable]: told })).not.toBeNull();
});
