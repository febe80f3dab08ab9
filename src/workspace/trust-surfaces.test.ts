import {
  chmodSync,
  mkdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import type { SurfacePlace } from '../model/trust-surfaces.ts';
import { surfaceDigest, surfacesAround } from './trust-surfaces.ts';

function write(folder: string, ...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name);
  }
}

const places: readonly SurfacePlace[] = [
  { cli: 'claude', power: 'acts', at: '.mcp.json' },
  { cli: 'claude', power: 'acts', at: '.claude/*' },
  { cli: 'codex', power: 'acts', at: '.codex/*' },
  { cli: 'opencode', power: 'acts', at: 'opencode.json' },
];

test('folders above the workspace count, up to the root of the checkout and not further', () => {
  using folder = tempFolder();
  const { path } = folder;
  write(
    path,
    '.mcp.json',
    'repo/.mcp.json',
    'repo/a/opencode.json',
    'repo/a/b/.claude/settings.json',
    'repo/c/.mcp.json',
  );
  expect(
    surfacesAround(join(path, 'repo/a/b'), realpathSync(join(path, 'repo')), places).map(
      (surface) => surface.path,
    ),
  ).toEqual(['.mcp.json', 'a/b/.claude/settings.json', 'a/opencode.json']);
});

test('a link, also one that leads nowhere yet, is there; a file in the place of a folder is not in the way', () => {
  using folder = tempFolder();
  const { path } = folder;
  write(path, '.claude', 'elsewhere/config.toml');
  symlinkSync('/not/there', join(path, '.mcp.json'));
  symlinkSync(join(path, 'elsewhere'), join(path, '.codex'));
  expect(surfacesAround(path, realpathSync(path), places).map((surface) => surface.path)).toEqual([
    '.codex/config.toml',
    '.mcp.json',
  ]);
});

test('a digest changes with content, mode, names and links, and with nothing else', () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  write(path, '.claude/hooks/a', '.claude/hooks/b/c', 'large');
  const digest = (): string => surfaceDigest(path, { path: '.claude/hooks' });
  const seen = [digest()];
  write(path, '.claude/hooks/a');
  expect(digest()).toBe(seen[0]);
  const changes = [
    () => {
      writeFileSync(join(path, '.claude/hooks/b/c'), 'other');
    },
    () => {
      chmodSync(join(path, '.claude/hooks/a'), 0o755);
    },
    () => {
      write(path, '.claude/hooks/d');
    },
    () => {
      symlinkSync('a', join(path, '.claude/hooks/e'));
    },
    () => {
      rmSync(join(path, '.claude/hooks/a'));
    },
    () => {
      truncateSync(join(path, '.claude/hooks/d'), 5 * 1024 * 1024);
    },
    () => {
      truncateSync(join(path, '.claude/hooks/d'), 6 * 1024 * 1024);
    },
    () => {
      rmSync(join(path, '.claude/hooks'), { recursive: true });
    },
  ];
  for (const change of changes) {
    change();
    seen.push(digest());
  }
  expect(new Set(seen).size).toBe(changes.length + 1);
  for (const each of seen) expect(each).toMatch(/^[0-9a-f]{32}$/);
});
