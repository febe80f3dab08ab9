import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { listSurfaces } from './trust.ts';

function write(folder: string, ...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name);
  }
}

const shown = (folder: string): readonly string[] =>
  listSurfaces(folder, []).map(({ cli, power, path }) => `${cli} ${power} ${path}`);

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
