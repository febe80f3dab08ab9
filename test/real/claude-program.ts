import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const claudeVersion = process.env['TUTTI_REAL_CLAUDE'] ?? '2.1.325';

/** The real CLI, of one version, from the registry into a cache outside the repository. No script of the package is run. */
export function claudeProgram(): string {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(cache, 'tutti', `claude-${claudeVersion}`);
  const system = `${process.platform}-${process.arch}`;
  const program = join(folder, 'node_modules/@anthropic-ai', `claude-code-${system}`, 'claude');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
  const wanted = `@anthropic-ai/claude-code@${claudeVersion}`;
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
  const { status, stderr } = spawnSync('npm', ['install', ...flags, wanted], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0 || !existsSync(program)) throw new Error(`${wanted} could not be installed: ${stderr}`);
  return program;
}
