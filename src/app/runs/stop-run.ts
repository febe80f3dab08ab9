import { nextLook } from '../../lib/keep-looking.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Outcome } from '../../model/outcome.ts';
import { stoppedWithRun } from '../../model/ports/host.ts';
import { isOver } from '../../model/run.ts';
import { runProcesses } from '../../runtime/end-run.ts';
import { livingRuns } from '../../runtime/living-attempts.ts';
import { StoreUnavailable } from '../../model/ports/store-unavailable.ts';
import { identifyCaller } from '../people/identify-caller.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import { advanceRun } from './advance-run.ts';
import { isAdvancing, keptWith } from '../status/living-holder.ts';
import { required } from './find-run.ts';
import { killRuns } from './kill-runs.ts';
import { findUnrecordedEnds, recordEnds, unrecordedEndJson } from './unrecorded-ends.ts';
import type { KeptWish } from './kept-wishes.ts';

export interface Stopped {
  readonly runId: string;
  /** Processes that were found alive and ended. */
  readonly processes: number;
  /** Pids that could not be ended; empty unless something is badly wrong. */
  readonly left: readonly number[];
  /** How it had ended before anybody stopped it; null: it was under way. */
  readonly endedWith: Outcome | null;
  /** It had been stopped before. */
  readonly again: boolean;
  /** Why the end is not recorded yet; null: it is. The next command that changes something records it. */
  readonly unrecorded: string | null;
  /** How its parts ended whose end is not recorded yet. */
  readonly ends: readonly object[];
}

/** How long the process that advances a run gets to record its end; its processes are gone by then. */
const graceMs = 5000;

/**
 * Ends the run, every run that was started inside it, and every process they ever started; it stays resumable. Processes
 * first, because signals need no disk. What the database does not take now is kept elsewhere and recorded later.
 */
export function stopRun(tutti: Tutti, runId: string): Promise<Result<Stopped, Refusal>> {
  return stopFor(tutti, runId, identifyCaller(tutti.caller).name);
}

/** `at`: when it was stopped, where that could not be recorded then. */
async function stopFor(
  tutti: Tutti,
  runId: string,
  by: string | null,
  at?: number,
): Promise<Result<Stopped, Refusal>> {
  const run = await required(tutti, runId);
  if (!run.ok) return run;
  const { mark } = tutti.paths;
  const endedWith = run.value.state.at === 'ended' ? run.value.state.outcome : null;
  const inside = await tutti.queries.runsInside(runId);
  const ids = [runId, ...inside];
  const processes = ids.reduce((sum, id) => sum + runProcesses(mark, id), 0);
  // Before the first signal: a holder that sees its agents end must not launch the next ones.
  const isKept =
    endedWith === null &&
    (at !== undefined || tutti.wishes.keep(runId, 'stop', 'a person stopped it', by) !== null);
  const left = await killRuns(tutti, ids, stoppedWithRun);
  const again = endedWith === 'INTERRUPTED' && run.value.cancelled;
  const stopped = { runId, processes, left, endedWith, again };
  const recorded = await recordStop(tutti, ids, by, at);
  if (!recorded.ok) {
    const trouble = recorded.error;
    const ends = (await findUnrecordedEnds(tutti, ids)).map(unrecordedEndJson);
    if (isKept || endedWith !== null) return ok({ ...stopped, unrecorded: trouble.message, ends });
    const message = `the processes of run ${runId} are ended, but nothing can be written: ${trouble.message}`;
    return err(refusal('UNAVAILABLE', message, `${trouble.hint}; then again: tutti stop ${runId}`));
  }
  for (const id of ids) {
    const ended = await endInOrder(tutti, id);
    if (!ended.ok && id === runId) return ended;
  }
  const views = tutti.views();
  await views.update(runId);
  await views.updatePlan(runId).catch(() => []);
  // A command that continues it may have done so since it was looked at.
  const wasUnderWay = recorded.value ? { endedWith: null, again: false } : {};
  return ok({ ...stopped, ...wasUnderWay, unrecorded: null, ends: [] });
}

/**
 * Ends what is left of a run that was stopped and whose process left before the end was recorded. False: there is no such stop.
 * For a command that continues the run: it would only finish the stop.
 */
export async function finishStop(tutti: Tutti, runId: string): Promise<Result<boolean, Refusal>> {
  const run = await tutti.queries.run(runId);
  if (run === null || !run.cancelled || isOver(run.state)) return ok(false);
  const ids = [runId, ...(await tutti.queries.runsInside(runId))];
  await killRuns(tutti, ids, stoppedWithRun);
  for (const id of ids) {
    const ended = await endInOrder(tutti, id);
    if (!ended.ok && id === runId) return ended;
  }
  return ok(true);
}

/** Runs that have ended and left processes behind which are alive. */
export async function runsLeftBehind({ queries, paths }: Tutti): Promise<readonly string[]> {
  const lives = livingRuns(paths.mark);
  return (await queries.runs(null))
    .filter(({ state, parent }) => state.at === 'ended' && parent === null)
    .map(({ id }) => id)
    .filter((id) => lives(id) && runProcesses(paths.mark, id) > 0);
}

/** What `stop` says of all runs holds for those that have ended too: a command that began before it continues none. */
export async function keepEnded({ store }: Pick<Tutti, 'store'>): Promise<void> {
  try {
    await store.cancelEnded();
  } catch (error) {
    // Where nothing can be written, nothing can be continued either.
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}

/** Records it also for a run that has ended: a command that began before the stop then does not continue it. Whether the first was under way. */
async function recordStop(
  tutti: Tutti,
  ids: readonly string[],
  by: string | null,
  at?: number,
): Promise<Result<boolean, StoreUnavailable>> {
  let wasUnderWay = false;
  try {
    const last = await recordEnds(tutti, ids);
    const stoppedAt = at === undefined ? undefined : Math.max(at, last);
    for (const [n, id] of ids.entries()) {
      const isStopped = await tutti.store.cancel(id, by, stoppedAt);
      if (n === 0) wasUnderWay = isStopped;
    }
  } catch (error) {
    if (error instanceof StoreUnavailable) return err(error);
    throw error;
  }
  for (const id of ids) tutti.wishes.forget(id);
  return ok(wasUnderWay);
}

/**
 * Records what the database could not take when it was asked for: the stops and halts of people. Called by every command that
 * may launch something, and by the conductor. What still cannot be recorded stays where it is kept; returns why, by run.
 */
export async function recordWishes(tutti: Tutti): Promise<ReadonlyMap<string, string>> {
  const unrecorded = new Map<string, string>();
  for (const wish of tutti.wishes.all()) {
    const why = await recordWish(tutti, wish);
    if (why !== null) unrecorded.set(wish.runId, why);
  }
  return unrecorded;
}

/** Null: it is recorded, or there is nothing to record. */
async function recordWish(tutti: Tutti, { runId, mark, why, by, since }: KeptWish): Promise<string | null> {
  const run = await tutti.queries.run(runId);
  if (run === null || mark === 'hold') return null;
  try {
    if (isOver(run.state)) tutti.wishes.forget(runId);
    else if (mark === 'stop') {
      const stopped = await stopFor(tutti, runId, by, since ?? undefined);
      return stopped.ok ? stopped.value.unrecorded : stopped.error.message;
    } else if ((await tutti.store.halt(runId, why, by)) || run.state.at === 'halting')
      tutti.wishes.forget(runId);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return error.message;
  }
  return null;
}

/**
 * The same for a command that continues the run. It is refused while a stop or halt of the run is not recorded: recorded
 * later, that would end what this command continued. `next`: the command to give then.
 */
export async function refuseUnrecorded(
  tutti: Tutti,
  runId: string,
  next = `tutti resume ${runId}`,
): Promise<Refusal | null> {
  const reasons = await recordWishes(tutti);
  const run = await tutti.queries.run(runId);
  const kept = run === null ? null : await keptWith(tutti, run);
  if (kept === null) return null;
  const what = tutti.wishes.of(kept) === 'halt' ? 'halt' : 'stop';
  const how = what === 'halt' ? 'halted' : 'stopped';
  const why = reasons.get(kept) ?? 'another process is about to record it';
  return refusal(
    'UNAVAILABLE',
    `run ${kept} is ${how}, but the ${what} is not recorded yet: ${why}`,
    `when that is over, try again: ${next}`,
  );
}

/**
 * Whoever advances the run ends it in good order; if no process does, we do. One that does not answer is replaced: its claim
 * is fenced off, and it can neither write nor launch.
 */
async function endInOrder(tutti: Tutti, runId: string): Promise<Result<null, Refusal>> {
  if (await isAdvancing(tutti, runId)) await untilOver(tutti, runId);
  if (await over(tutti, runId)) return ok(null);
  const advanced = await advanceRun(tutti, { runId, stay: false, takesOver: true });
  return advanced.ok ? ok(null) : advanced;
}

async function over(tutti: Tutti, runId: string): Promise<boolean> {
  const run = await tutti.queries.run(runId);
  return run === null || isOver(run.state);
}

/** Resolves when the run is over, or when the process that advances it has had its time. */
async function untilOver(tutti: Tutti, runId: string): Promise<void> {
  const { clock } = tutti;
  const until = clock.monotonic() + graceMs;
  do await nextLook(clock, 50);
  while (!(await over(tutti, runId)) && (await isAdvancing(tutti, runId)) && clock.monotonic() < until);
}
