import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type TempFolder, tempFolder } from '../../test/rig/temp-folder.ts';
import type { WorkspaceChanges } from '../model/workspace-changes.ts';
import { changesSince } from './changes.ts';
import { listWorkspace } from './workspace-files.ts';

function writer(folder: TempFolder) {
  return (path: string, content: string | Uint8Array = 'x'): void => {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), content);
  };
}

async function changes(folder: string, act: () => void): Promise<WorkspaceChanges> {
  const before = await listWorkspace(folder);
  act();
  return changesSince(folder, before, await listWorkspace(folder));
}

const names = ({ written }: WorkspaceChanges): readonly string[] => written.map(({ path }) => path);

test('what was written, replaced, made executable and removed is found, wherever it is', async () => {
  using folder = tempFolder();
  const write = writer(folder);
  for (const path of ['kept', 'changed', 'same-size', 'gone', 'deep/down/gone', 'script']) write(path);
  const found = await changes(folder.path, () => {
    write('changed', 'longer');
    write('same-size', 'y');
    utimesSync(join(folder.path, 'same-size'), 1, 1);
    write('deep/down/new', Uint8Array.of(0, 255));
    chmodSync(join(folder.path, 'script'), 0o755);
    rmSync(join(folder.path, 'gone'));
    rmSync(join(folder.path, 'deep/down/gone'));
    for (const path of ['.tutti/x', '.git/x', 'node_modules/x/y', 'a/node_modules/y']) write(path);
  });
  expect(names(found)).toEqual(['changed', 'deep/down/new', 'same-size', 'script']);
  expect(found.written.map(({ executable }) => executable)).toEqual([false, false, false, true]);
  expect([...(found.written[1]?.content ?? [])]).toEqual([0, 255]);
  expect(found).toMatchObject({ deleted: ['deep/down/gone', 'gone'], leftOut: [] });
});

test('where there is git, what it ignores is not looked at, whether or not the turn was committed', async () => {
  using folder = tempFolder();
  const write = writer(folder);
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      cwd: folder.path,
      stdio: 'pipe',
    });
  };
  git('init', '-q');
  write('.gitignore', 'out/\n');
  for (const path of ['a', 'b', 'seen']) write(path);
  git('add', '.');
  git('commit', '-qm', 'x');
  const found = await changes(folder.path, () => {
    write('out/ignored');
    write('a', 'changed');
    write('new');
    git('rm', '-q', 'b');
    git('add', '.');
    git('commit', '-qm', 'y');
    write('.gitignore', 'out/\nseen\n');
    git('rm', '-q', '--cached', 'seen');
  });
  expect(names(found)).toEqual(['.gitignore', 'a', 'new']);
  expect(found.deleted).toEqual(['b']);
});

test('links, pipes and what is too large are named, and nothing is read through them', async () => {
  using folder = tempFolder();
  using outside = tempFolder();
  writeFileSync(join(outside.path, 'secret'), 'secret');
  const found = await changes(folder.path, () => {
    symlinkSync(join(outside.path, 'secret'), join(folder.path, 'link-out'));
    symlinkSync('nowhere', join(folder.path, 'link-nowhere'));
    writeFileSync(join(folder.path, 'large'), '');
    truncateSync(join(folder.path, 'large'), 300 * 1024);
    execFileSync('mkfifo', [join(folder.path, 'pipe')]);
  });
  expect(names(found)).toEqual([]);
  expect(found.leftOut).toEqual([
    'large: it is larger than 262144 bytes',
    'link-nowhere: it leads out of the workspace, or nowhere',
    'link-out: it leads out of the workspace, or nowhere',
    'pipe: it is no file',
  ]);
});

test('a turn that writes more than fits is taken as far as it fits', async () => {
  using folder = tempFolder();
  const write = writer(folder);
  const many = await changes(folder.path, () => {
    for (let at = 0; at < 502; at += 1) write(`f${String(at).padStart(3, '0')}`);
  });
  expect(many.written).toHaveLength(500);
  expect(many.leftOut).toEqual(['f500: one changed file too many', 'f501: one changed file too many']);
  const large = await changes(folder.path, () => {
    for (let at = 0; at < 17; at += 1) write(`g${String(at).padStart(3, '0')}`, 'x'.repeat(256 * 1024));
  });
  expect(large.written).toHaveLength(16);
  expect(large.leftOut).toEqual(['g016: no room is left for it']);
});

test('a workspace that could not be looked at has no changes, and says why', () => {
  const known = { whole: true, files: {} } as const;
  const unknown = { whole: false, why: 'too large' } as const;
  for (const [before, now] of [
    [known, unknown],
    [unknown, known],
  ] as const) {
    expect(changesSince('/', before, now)).toEqual({
      written: [],
      deleted: [],
      leftOut: ['files: too large'],
    });
  }
});
