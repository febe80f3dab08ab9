import { join } from 'node:path';
import { makePrivateFolder } from '../../lib/atomic-file.ts';
import { packageFile } from '../../lib/package-files.ts';
import { isAlive } from '../../lib/process/identity.ts';
import { startProgram } from '../../runtime/program.ts';
import { watching } from '../sessions/watchdog-loop.ts';
import type { Tutti } from '../tutti.ts';
import { drivable, driveAll } from './drive-run.ts';
import { recordWishes } from './stop-run.ts';

const leaseMs = 30_000;
const watchEveryMs = 15_000;

/**
 * The process that drives a project's runs when no terminal does. One per project; it ends by itself when nothing but
 * questions remains, and whoever answers one starts it again.
 */
export async function conduct(
  tutti: Tutti,
  say: (line: string) => void,
  everyMs = watchEveryMs,
): Promise<'done' | 'taken'> {
  const { store, clock, me } = tutti;
  const facts = () => ({ me, monotonic: clock.monotonic(), isAlive });
  if (!(await store.takeConductor(facts(), leaseMs))) return 'taken';
  using _lease = clock.every(leaseMs / 3, () => {
    void store.takeConductor(facts(), leaseMs).catch(() => undefined);
  });
  say(`conductor ${process.pid} started`);
  using engine = await tutti.engine();
  await using _watchdog = watching(tutti, { everyMs, say });
  const broken = new Set<string>();
  do {
    await recordWishes(tutti);
    await driveAll(tutti, engine, broken, (runId, how) => {
      say(`run ${runId}: ${how}`);
    });
    await tutti.audit.write();
    await store.leaveConductor(process.pid);
    // An answer that came between the last look and the leave was told that a conductor is there.
  } while ((await drivable(tutti, broken)).length > 0 && (await store.takeConductor(facts(), leaseMs)));
  say(`conductor ${process.pid} has nothing left to do`);
  return 'done';
}

/** Makes sure that somebody drives what can go on. Null: a living conductor is there already and will notice. */
export async function ensureConductor(tutti: Tutti): Promise<number | null> {
  const current = tutti.queries.conductor();
  if (current !== null && isAlive(current)) return null;
  makePrivateFolder(tutti.paths.logs);
  const { pid } = await startProgram({
    argv: [process.execPath, packageFile('tutti'), 'conductor'],
    cwd: tutti.paths.root,
    // What describes the place of the caller must not become the conductor's: it belongs to nobody's session.
    env: Object.fromEntries(
      Object.entries(tutti.env).filter(([name]) => !/^(TUTTI_|AGENTIC_)/.test(name) || kept.has(name)),
    ),
    logFile: join(tutti.paths.logs, 'conductor.log'),
    life: 'alone',
  });
  return pid;
}

const kept = new Set(['TUTTI_DRIVER', 'TUTTI_MAX_SESSIONS', 'TUTTI_SESSION_TIMEOUT', 'TUTTI_MAX_DEPTH']);
