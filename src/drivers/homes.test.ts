import { expect, test } from 'vitest';
import { claudeCli } from './claude/cli.ts';
import { codexCli } from './codex/cli.ts';
import { geminiCli } from './gemini/cli.ts';
import { placedHome } from './homes.ts';
import { opencodeCli } from './opencode/cli.ts';

test('a variable of the CLI puts its whole home elsewhere, guarded files too', () => {
  const codex = placedHome(codexCli.home, { CODEX_HOME: '/keys/codex' });
  expect(codex.folders).toEqual(['/keys/codex']);
  expect(codex.guarded).toContain('/keys/codex/hooks.json');
  expect(codex.settings).toEqual({ '/keys/codex/config.toml': '' });
  const claude = placedHome(claudeCli.home, { CLAUDE_CONFIG_DIR: '/keys/claude' });
  expect(claude.folders).toEqual(['/keys/claude']);
  expect(claude.guarded).toEqual(
    expect.arrayContaining(['/keys/claude/.claude.json', '/keys/claude/settings.local.json']),
  );
  expect(placedHome(geminiCli.home, { GEMINI_CLI_HOME: '/keys' }).folders).toEqual(['/keys/.gemini']);
});

test('a variable that names the home itself, or a folder above it, opens nothing to agents', () => {
  for (const CODEX_HOME of ['/home/ann', '/home', '/']) {
    expect(placedHome(codexCli.home, { HOME: '/home/ann', CODEX_HOME }).folders).toEqual(['.codex']);
  }
});

test('the folders of a CLI are where the variables of the person have them', () => {
  const { home } = opencodeCli;
  const { folders, guarded } = placedHome(home, {
    XDG_STATE_HOME: '/state',
    XDG_CONFIG_HOME: 'not/absolute',
  });
  expect(folders).toContain('/state/opencode');
  expect(folders).toContain('.local/share/opencode');
  expect(guarded).toContain('.config/opencode/opencode.json');
  // The control: without variables everything is below the home.
  expect(placedHome(home, {})).toEqual(home);
});
