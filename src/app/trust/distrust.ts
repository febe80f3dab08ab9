import { findProgram } from '../../lib/find-program.ts';
import { isOlder } from '../../lib/is-older.ts';
import { type Restraint, trustProblem, unrestrained, type WorkspaceTrust } from '../../model/trust.ts';
import { programVersion } from '../../runtime/program-version.ts';
import type { Variables } from '../state-folder.ts';

/** Some take seconds to start on a small machine. */
const timeoutMs = 20_000;

/**
 * Null, or why a driver may not start there. A program that is kept from the repository's files by a variable is asked for
 * its version first, and only where there is something to keep it from: an older one would start and not listen.
 */
export async function distrustOf(
  name: string,
  driver: Restraint,
  trust: WorkspaceTrust,
  env: Variables,
): Promise<string | null> {
  const problem = unrestrained(name, driver, trust);
  const since = driver.restrainedSince;
  if (problem === null || since === undefined) return trustProblem(name, driver, trust);
  const version = await versionOf(since.program, env);
  if (version !== null && !isOlder(version, since.version)) return null;
  return `${problem} (${since.program} ${version ?? 'of unknown version'} is older than ${since.version})`;
}

async function versionOf(program: string, env: Variables): Promise<string | null> {
  const path = program.includes('/') ? program : findProgram(program, env['PATH']);
  if (path === null) return null;
  // Not in the workspace, whose settings it might take.
  const seen = { PATH: env['PATH'] ?? '', HOME: env['HOME'] ?? '/' };
  return programVersion({ program: path, env: seen, cwd: '/', timeoutMs });
}
