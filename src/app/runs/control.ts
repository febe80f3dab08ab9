import { err, ok, type Result } from '../../lib/result.ts';
import type { Entry } from '../../model/entry.ts';
import { rootStepOf } from '../../model/key.ts';
import type { Outcome } from '../../model/outcome.ts';
import { isOver } from '../../model/run.ts';
import type { Run } from '../../model/run.ts';
import { endRun, runProcesses } from '../../runtime/end-run.ts';
import { runsAgain } from '../../model/try-again.ts';
import { didYouMean } from '../../model/schemas/nearest.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { runStatus } from '../status/run-status.ts';
import { failedSteps } from '../status/step-status.ts';
import { workflows, type Tutti } from '../tutti.ts';
import { driveRun, isDriven, leaseOn, type MayDetach } from './drive-run.ts';
import { newestRuns } from './newest.ts';

export interface Stopped {
  readonly runId: string;
  /** Processes that were found alive and ended. */
  readonly processes: number;
  /** Pids that could not be ended; empty unless something is badly wrong. */
  readonly left: readonly number[];
  /** How it had ended before anybody stopped it; null: it was under way. */
  readonly endedWith: Outcome | null;
}

/** How long the process that drives a run gets to end it in good order. */
const graceMs = 15_000;

/** Ends the run, every run that was started inside it, and every process they ever started. It stays resumable. */
export async function stopRun(tutti: Tutti, runId: string): Promise<Result<Stopped, Refusal>> {
  const run = required(tutti, runId);
  if (!run.ok) return run;
  const { mark } = tutti.paths;
  const endedWith = run.value.state.at === 'ended' ? run.value.state.outcome : null;
  const inside = tutti.queries.runsInside(runId);
  const processes = [runId, ...inside].reduce((sum, id) => sum + runProcesses(mark, id), 0);
  for (const id of [runId, ...inside]) await tutti.store.cancel(id);
  const ended = await endInOrder(tutti, runId);
  if (!ended.ok) return ended;
  const left: number[] = [];
  // Whatever escaped its session is found by its mark, also when the run had ended long ago.
  for (const id of [runId, ...inside]) left.push(...(await endRun(mark, id)).left.map(({ pid }) => pid));
  for (const id of inside) await endInOrder(tutti, id);
  tutti.views().update(runId);
  if (over(tutti, runId)) return ok({ runId, processes, left, endedWith });
  const pid = tutti.queries.holder(runId)?.pid ?? 0;
  const message = `the processes of run ${runId} are ended, but process ${pid} holds the run and does not answer`;
  return err(refusal('FAILURE', message, `end it: kill -9 ${pid}, then again: tutti stop ${runId}`));
}

/** Whoever drives the run ends it in good order; if nobody does, we do. */
async function endInOrder(tutti: Tutti, runId: string): Promise<Result<null, Refusal>> {
  if (isDriven(tutti, runId)) await untilOver(tutti, runId);
  if (isDriven(tutti, runId) || over(tutti, runId)) return ok(null);
  const drive = await driveRun(tutti, { runId, stay: false });
  return drive.ok ? ok(null) : drive;
}

/** Lets what is under way finish, and starts nothing new. */
export async function haltRun(
  tutti: Tutti,
  runId: string,
  reason: string,
): Promise<Result<'halting' | 'halted', Refusal>> {
  const run = required(tutti, runId);
  if (!run.ok) return run;
  if (!(await tutti.store.halt(runId, reason))) {
    const { at } = run.value.state;
    if (at === 'halted' || at === 'halting') return ok(at);
    return err(refusal('USAGE', `run ${runId} is over`, `look at it: tutti status ${runId}`));
  }
  return ok('halting');
}

export type Resumed = { readonly runId: string; readonly how: 'resumed' | 'running' } | Reopened;
interface Reopened {
  readonly runId: string;
  readonly how: 'reopened';
  readonly steps: readonly string[];
}

/** Makes a run go on: back from a halt or a stop, or with its failed steps (or the named ones) open again. */
export async function resumeRun(
  tutti: Tutti,
  runId: string,
  steps: readonly string[],
  how: MayDetach = {},
): Promise<Result<Resumed, Refusal>> {
  const run = required(tutti, runId);
  if (!run.ok) return run;
  const status = runStatus(tutti.queries, workflows, runId);
  const known = new Set(status?.steps.map(({ id }) => id));
  const unknown = steps.find((step) => !known.has(step));
  if (unknown !== undefined) {
    return err(
      refusal(
        'USAGE',
        `run ${runId} has no step '${unknown.slice(0, 80)}'${didYouMean(unknown, [...known])}`,
        `see its steps: tutti status ${runId}`,
      ),
    );
  }
  const lease = leaseOn(tutti, runId, how);
  if (steps.length === 0 && (await tutti.store.resume(runId, lease))) return ok({ runId, how: 'resumed' });
  const chosen = steps.length > 0 ? new Set(steps) : failedSteps(status?.steps ?? []);
  if (!isOver(run.value.state) && steps.length === 0) return ok({ runId, how: 'running' });
  const select =
    steps.length > 0
      ? ({ key }: Pick<Entry, 'key'>) => chosen.has(rootStepOf(key))
      : runsAgain(tutti.queries.entries(runId), chosen);
  const keys = await tutti.store.reopen(runId, select, lease);
  if (keys.length === 0) {
    return err(
      refusal(
        'USAGE',
        `run ${runId} succeeded: there is nothing to resume`,
        `look at it: tutti report ${runId}`,
      ),
    );
  }
  return ok({ runId, how: 'reopened', steps: [...new Set(keys.map(rootStepOf))] });
}

export function required(tutti: Tutti, runId: string): Result<Run, Refusal> {
  const run = tutti.queries.run(runId);
  if (run !== null) return ok(run);
  const runs = newestRuns(tutti, { limit: 200, sessions: false }).map(({ id }) => id);
  return err(unknownRun(runId, [...runs, ...tutti.queries.plans.all().map(({ name }) => name)]));
}

/** `known`: what the person may have meant. */
export function unknownRun(runId: string, known: readonly string[] = []): Refusal {
  const message = `there is no run '${runId.slice(0, 80)}'${didYouMean(runId, known)}`;
  return refusal('USAGE', message, 'see which there are: tutti runs');
}

function over(tutti: Tutti, runId: string): boolean {
  const run = tutti.queries.run(runId);
  return run === null || isOver(run.state);
}

/** Resolves when the run is over, or when the process that drives it has had its time. */
function untilOver(tutti: Tutti, runId: string): Promise<void> {
  const { clock } = tutti;
  const until = clock.monotonic() + graceMs;
  return new Promise((resolve) => {
    const looking = clock.every(50, () => {
      if (!over(tutti, runId) && isDriven(tutti, runId) && clock.monotonic() < until) return;
      looking[Symbol.dispose]();
      resolve();
    });
  });
}
