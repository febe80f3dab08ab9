import { resolve } from 'node:path';
import { findProgram, isRunnable } from '../../lib/find-program.ts';
import type { ClaudeDriver } from '../../model/claude.ts';
import { programPath } from '../command/launch.ts';
import { readSettings } from './settings.ts';

/** Null when the program is there and may be run; otherwise one sentence. */
export function missingClaude(config: ClaudeDriver, projectDir: string, searchPath: string): string | null {
  const program = programPath(config.program, projectDir);
  const found = program.includes('/') ? isRunnable(program) : findProgram(program, searchPath) !== null;
  if (found) return unreadable(config, projectDir);
  return `the program ${program} is not there or may not be run: npm install -g @anthropic-ai/claude-code, or name another one in tutti.yaml`;
}

/** The CLI itself leaves out settings that it cannot read without a word, and with them the hooks that guard something. */
function unreadable({ settings, mcpConfig }: ClaudeDriver, projectDir: string): string | null {
  for (const path of [settings, mcpConfig]) {
    const read = path === undefined ? null : readSettings(resolve(projectDir, path));
    if (read?.ok === false) return `${read.error}: fix it, or name another file in tutti.yaml`;
  }
  return null;
}
