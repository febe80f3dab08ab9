import { join } from 'node:path';
import { makePrivateFolder } from '../../lib/atomic-file.ts';
import { packageFile } from '../../lib/package-files.ts';
import { filterAsync } from '../../lib/async-list.ts';
import { identify, isAlive } from '../../lib/process/identity.ts';
import { familyOf } from '../../model/family.ts';
import { leaseMs } from '../../model/lease.ts';
import { outlinesByName } from '../../model/outline.ts';
import type { Run } from '../../model/run.ts';
import { startProgram } from '../../runtime/program.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { graceMs, needsHolder } from '../sessions/overdue.ts';
import { sessionsOfRun } from '../sessions/sessions-now.ts';
import { waitUntil } from '../sessions/wait-until.ts';
import { findSilence, hasLapsed } from '../status/living-holder.ts';
import { describeSilence, silenceHint, type SilentHolder } from '../../model/silent-holder.ts';
import { runStatus } from '../status/run-status.ts';
import { stopCommand } from '../status/under-way.ts';
import type { Tutti } from '../tutti.ts';
import { advanceable } from './overdue.ts';
import { commandOn } from './run-holder.ts';

/** How long a conductor that responds may take to take a run: it may have to start first, on a busy machine. */
const conductorComesMs = 60_000;

/**
 * Starts a conductor for runs that can continue. Null: a living conductor exists already and will notice them. One whose lease
 * has lapsed is replaced. It advances every run that no process advances: those that the command is not `about` are told.
 */
export async function ensureConductor(tutti: Tutti, about: readonly string[]): Promise<number | null> {
  if (await hasConductor(tutti)) return null;
  await tellOthers(tutti, about);
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

/**
 * Lets a conductor continue runs that a person answered. One that has to start is waited for, so that no command that is typed next
 * reports a run that no process advances.
 */
export async function callConductor(tutti: Tutti, about: readonly string[]): Promise<void> {
  const started = await ensureConductor(tutti, about);
  if (started === null) return;
  await waitUntil(
    tutti.clock,
    conductorComesMs,
    async () => (await hasConductor(tutti)) || identify(started) === null,
  );
}

/** Looked for before the conductor starts: it claims them at once. */
async function tellOthers(tutti: Tutti, about: readonly string[]): Promise<void> {
  const before = tutti.alsoContinues ?? [];
  const known = new Set([...before.map(({ runId }) => runId), ...(await topRuns(tutti, about))]);
  const runs = await Promise.all((await advanceable(tutti, known)).map((id) => tutti.queries.run(id)));
  const others = await filterAsync(
    runs.filter((run) => run !== null),
    (run) => mayLaunch(tutti, run),
  );
  const told = others.map((run) => ({ runId: run.id, stop: stopCommand(run) }));
  tutti.alsoContinues = [...before, ...told];
  if (told.length > 0) tutti.onAlsoContinues(told);
}

/** A child is advanced with the run that it belongs to. */
async function topRuns({ queries }: Tutti, ids: readonly string[]): Promise<readonly string[]> {
  const tops: string[] = [];
  for (const id of ids) {
    let run = await queries.run(id);
    while (run !== null && run.parent !== null) run = await queries.run(run.parent.runId);
    tops.push(run?.id ?? id);
  }
  return tops;
}

/**
 * A run that only ends launches nothing, nor does a session whose process works or that has just begun. A run that has just been
 * recorded is another command's, which starts a conductor for it too.
 */
async function mayLaunch(tutti: Tutti, run: Run): Promise<boolean> {
  if (run.state.at !== 'running' || run.cancelled) return false;
  const isNew = tutti.clock.wall() - run.startedAt <= graceMs;
  if (isNew && run.epoch === 0 && (await tutti.queries.holder(run.id)) === null) return false;
  if (!familyOf(run).isSession) return true;
  const latest = (await sessionsOfRun(tutti, run.id)).at(-1);
  return latest?.lost === true || (await needsHolder(tutti, run.id));
}

/** A conductor that leaves again and again without the run has a reason, which its log tells. */
const mostStarts = 4;

/**
 * Leaves a run to the conductor and waits until the conductor has taken it. Null: it has. A conductor that is suspended takes
 * nothing, and keeps another one from starting until its lease has lapsed.
 */
export async function leaveToConductor(tutti: Tutti, runId: string): Promise<Refusal | null> {
  // A person continues it, whatever its holder could not write before.
  if ((await commandOn(tutti, runId)) === null) tutti.wishes.release(runId);
  const isTaken = async (): Promise<boolean> =>
    (await runStatus(tutti, outlinesByName, runId))?.state !== 'undriven';
  let started = await ensureConductor(tutti, [runId]);
  let starts = 1;
  await waitUntil(tutti.clock, conductorComesMs, async () => {
    if ((await isTaken()) || (await findSilentConductor(tutti))?.known === 'suspended') return true;
    if (await hasConductor(tutti)) return false;
    if (started !== null && identify(started) !== null) return false;
    // The one before it left, or its lease lapsed; one that was started here leaves at once while another one is leaving.
    if (starts === mostStarts) return true;
    started = await ensureConductor(tutti, [runId]);
    starts += 1;
    return false;
  });
  if (await isTaken()) return null;
  const silent = await findSilentConductor(tutti);
  const resume = `tutti resume ${runId} --detach`;
  return silent === null
    ? refusal(
        'UNAVAILABLE',
        `the conductor has not taken run ${runId}, which is recorded`,
        `read ${join(tutti.paths.logs, 'conductor.log')}, then: ${resume}`,
      )
    : refusal(
        'UNAVAILABLE',
        `run ${runId} is recorded but does not continue: ${describeConductor(silent)}`,
        silenceHint(
          silent,
          `start another one when its lease has lapsed, after ${leaseMs / 1000} s: ${resume}`,
        ),
      );
}

/** A living conductor that does not respond; null: it does, or there is none. */
export async function findSilentConductor(tutti: Tutti): Promise<SilentHolder | null> {
  const conductor = await tutti.queries.conductor();
  return conductor === null ? null : findSilence(tutti, conductor);
}

export function describeConductor(silent: SilentHolder): string {
  return `process ${silent.pid}, the conductor, ${describeSilence(silent)}`;
}

/** Whether a living conductor looks after the project. */
export async function hasConductor(tutti: Tutti): Promise<boolean> {
  const current = await tutti.queries.conductor();
  return current !== null && isAlive(current) && !(await hasLapsed(tutti, current));
}

const kept = new Set(['TUTTI_DRIVER', 'TUTTI_MAX_SESSIONS', 'TUTTI_SESSION_TIMEOUT', 'TUTTI_MAX_DEPTH']);
