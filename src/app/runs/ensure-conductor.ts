import { join } from 'node:path';
import { makePrivateFolder } from '../../lib/atomic-file.ts';
import { packageFile } from '../../lib/package-files.ts';
import { isAlive } from '../../lib/process/identity.ts';
import { startProgram } from '../../runtime/program.ts';
import { hasLapsed } from '../status/living-holder.ts';
import type { Tutti } from '../tutti.ts';

/**
 * Starts a conductor for runs that can continue. Null: a living conductor exists already and will notice them. One whose lease
 * has lapsed is replaced.
 */
export async function ensureConductor(tutti: Tutti): Promise<number | null> {
  if (await hasConductor(tutti)) return null;
  makePrivateFolder(tutti.paths.logs);
  const { pid } = await startProgram({
    argv: [process.execPath, packageFile('tutti'), 'conductor'],
    cwd: tutti.paths.root,
    // Variables that describe the caller's session must not reach the conductor: it belongs to no session.
    env: Object.fromEntries(
      Object.entries(tutti.env).filter(([name]) => !/^(TUTTI_|AGENTIC_)/.test(name) || kept.has(name)),
    ),
    logFile: join(tutti.paths.logs, 'conductor.log'),
    life: 'alone',
  });
  return pid;
}

/** Whether a living conductor looks after the project. */
export async function hasConductor(tutti: Tutti): Promise<boolean> {
  const current = await tutti.queries.conductor();
  return current !== null && isAlive(current) && !(await hasLapsed(tutti, current));
}

const kept = new Set(['TUTTI_DRIVER', 'TUTTI_MAX_SESSIONS', 'TUTTI_SESSION_TIMEOUT', 'TUTTI_MAX_DEPTH']);
