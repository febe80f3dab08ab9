import { resolve } from 'node:path';
import type { ClaudeDriver } from '../../model/claude.ts';
import type { DriverPaths } from '../driver-definition.ts';
import { missingCli } from '../missing-cli.ts';
import { claudeCli } from './cli.ts';
import { readSettings } from './settings.ts';

/** Null when the program is there and may be run, and its files can be read; otherwise one sentence. */
export function missingClaude(config: ClaudeDriver, paths: DriverPaths): string | null {
  return missingCli(config.program, claudeCli.install, paths) ?? unreadable(config, paths.projectDir);
}

/** The CLI itself leaves out settings that it cannot read without a word, and with them the hooks that guard something. */
function unreadable({ settings, mcpConfig }: ClaudeDriver, projectDir: string): string | null {
  for (const path of [settings, mcpConfig]) {
    const read = path === undefined ? null : readSettings(resolve(projectDir, path));
    if (read?.ok === false) return `${read.error}: fix it, or name another file in tutti.yaml`;
  }
  return null;
}
