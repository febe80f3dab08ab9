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
import { surfaceDigest, surfacesAround } from './trust-surfaces.ts';

function write(folder: string, ...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name);
  }
}

const shown = (folder: string): readonly string[] =>
  surfacesAround(folder, realpathSync(folder)).map(({ cli, power, path }) => `${cli} ${power} ${path}`);

test('what each CLI would look for is found, with what it can do', () => {
  using folder = tempFolder();
  const { path } = folder;
  write(path, 'README.md', 'AGENTS.md', 'src/settings.json', '.github/x.yml');
  expect(shown(path)).toEqual([]);
  write(path, 'CLAUDE.md', '.claude/settings.json', '.claude/hooks/x.sh', '.claude/CLAUDE.md', '.mcp.json');
  write(
    path,
    '.codex/config.toml',
    '.gemini/settings.json',
    '.env',
    'opencode.jsonc',
    '.opencode/plugin/x.js',
  );
  expect(shown(path)).toEqual([
    'claude tells .claude/CLAUDE.md',
    'claude acts .claude/hooks',
    'claude acts .claude/settings.json',
    'codex acts .codex/config.toml',
    'gemini acts .env',
    'gemini acts .gemini/settings.json',
    'claude acts .mcp.json',
    'opencode acts .opencode/plugin',
    'claude tells CLAUDE.md',
    'opencode acts opencode.jsonc',
  ]);
});

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
    surfacesAround(join(path, 'repo/a/b'), realpathSync(join(path, 'repo'))).map((surface) => surface.path),
  ).toEqual(['.mcp.json', 'a/b/.claude/settings.json', 'a/opencode.json']);
});

test('a link, also one that leads nowhere yet, is there; a file in the place of a folder is not in the way', () => {
  using folder = tempFolder();
  const { path } = folder;
  write(path, '.claude', 'elsewhere/config.toml');
  symlinkSync('/not/there', join(path, '.mcp.json'));
  symlinkSync(join(path, 'elsewhere'), join(path, '.codex'));
  expect(surfacesAround(path, realpathSync(path)).map((surface) => surface.path)).toEqual([
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
