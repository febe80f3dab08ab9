import { err, ok, type Result } from '../../lib/result.ts';
import { isAlive } from '../../lib/process/identity.ts';
import { untilUnchanged } from '../../lib/retry-changed.ts';
import { askPastGone } from '../../kernel/past-gone.ts';
import { type Entry, isWaiting } from '../../model/entry.ts';
import type { Holder } from '../../model/holder.ts';
import { type Changer, type Lease } from '../../model/lease.ts';
import type { Queries } from '../../model/ports/queries.ts';
import type { Held, NewRun, Reopened, Store } from '../../model/ports/store.ts';
import { isOver, type Run } from '../../model/run.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { findSilentHolder, hasLapsed, isAdvancing } from '../status/living-holder.ts';
import { describeSilence, silenceHint, takeOverHint } from '../../model/silent-holder.ts';
import type { Tutti } from '../tutti.ts';
import { findInterruptedWork } from './interrupted-work.ts';

export interface MayDetach {
  /** Leave the run to the conductor. Absent: the caller advances it next, and is recorded with it as its holder. */
  readonly detach?: boolean;
}

/** What a command records with a new run that it advances next, so that no conductor claims the run in between. */
export function leaseOn(tutti: Tutti, { detach = false }: MayDetach): Lease | undefined {
  return detach ? undefined : tutti.lease();
}

/** Whether the project's conductor advances the run. */
export async function isConducted(tutti: Tutti, runId: string): Promise<boolean> {
  const conductor = await tutti.queries.conductor();
  const holder = await tutti.queries.holder(runId);
  return conductor !== null && holder?.pid === conductor.pid && (await isAdvancing(tutti, runId));
}

/**
 * Another command that advances the run, which refuses this one. A conductor may come or go between two looks, so the holder
 * is looked at before and after.
 */
export async function commandOn(tutti: Tutti, runId: string): Promise<Holder | null> {
  const holder = await tutti.queries.holder(runId);
  if (holder === null || !(await isAdvancing(tutti, runId)) || (await isConducted(tutti, runId))) return null;
  // It lives and does not respond: a claim takes the run over.
  if (await hasLapsed(tutti, holder)) return null;
  const run = await tutti.queries.run(runId);
  if (run === null || isOver(run.state)) return null;
  return (await tutti.queries.holder(runId))?.id === holder.id ? holder : null;
}

/** Why a command may not change or advance the run now; null: it may. For commands that change more than the run. */
export async function refuseHeld(tutti: Tutti, runId: string): Promise<Refusal | null> {
  const holder = await commandOn(tutti, runId);
  return holder === null ? null : heldBy(tutti, runId, holder);
}

export async function heldBy(tutti: Tutti, runId: string, { pid, host }: Holder): Promise<Refusal> {
  const run = await tutti.queries.run(runId);
  const silent = run === null ? null : await findSilentHolder(tutti, run);
  if (silent !== null) {
    const held = `run ${runId} is held by process ${pid} on ${host}, which ${describeSilence(silent)}`;
    return refusal('FAILURE', held, silenceHint(silent, takeOverHint(silent, runId)));
  }
  const message = `run ${runId} is already advanced by process ${pid} on ${host}`;
  return refusal('FAILURE', message, `watch it: tutti events ${runId} --follow`);
}

interface ChangeManner extends MayDetach {
  /** Id of the holder that keeps the run and takes up the change. */
  readonly beside?: string;
  /** The run when the command looked at it first; absent: that is now. */
  readonly seen?: Pick<Run, 'stops' | 'cancelled'>;
}

/**
 * Changes a run that exists. Whether the caller may, and the change itself, are one transition: a run that another command
 * advances is refused as it is. The conductor keeps a run that it advances and takes up the change; so does the holder `beside`.
 * A run that was stopped since the command began stays stopped.
 */
export async function changeRun<T>(
  tutti: Tutti,
  runId: string,
  how: ChangeManner,
  change: (run: ChangedRun) => Promise<T>,
): Promise<Result<T, Refusal>> {
  const { stops = 0, cancelled = false } = how.seen ?? (await tutti.queries.run(runId)) ?? {};
  for (;;) {
    try {
      return ok(await change(await changedRun(tutti, runId, how, stops)));
    } catch (error) {
      if (error instanceof StoppedMeanwhile) return err(await refuseStopped(tutti, runId, cancelled));
      if (!(error instanceof StillHeld)) throw error;
      // The conductor took the run after it was looked at, or left it.
      if ((await commandOn(tutti, runId))?.id === error.by.id)
        return err(await heldBy(tutti, runId, error.by));
    }
  }
}

/** Leaves the changes of a command where another living process holds the run; `changeRun` alone catches it. */
class StillHeld extends Error {
  override readonly name = 'StillHeld';
  readonly by: Holder;

  constructor(by: Holder) {
    super(`the run is held by process ${by.pid} on ${by.host}`);
    this.by = by;
  }
}

/** Leaves them where the run was stopped meanwhile; `changeRun` alone catches it. */
class StoppedMeanwhile extends Error {
  override readonly name = 'StoppedMeanwhile';
}

/** The first one who stops a run is remembered: of a run that had been stopped before, not who did it again. */
async function refuseStopped({ queries }: Tutti, runId: string, wasStopped: boolean): Promise<Refusal> {
  const by = wasStopped ? null : ((await queries.run(runId))?.stoppedBy ?? null);
  const message = `run ${runId} was stopped${by === null ? '' : ` by ${by}`} after this command began, and stays stopped`;
  return refusal('INTERRUPTED', message, `continue it after all: tutti resume ${runId}`);
}

type Holding = Pick<Changer, 'until' | 'beside'>;

/** A run that a command changes before it, or the conductor, advances it. */
export class ChangedRun {
  readonly #tutti: Tutti;
  readonly #runId: string;
  readonly #holding: Holding;
  readonly #isInterrupted: (entry: Entry) => boolean;
  /** A change of ours that sets the run going ends an earlier stop; one that comes later wins. */
  readonly #sawStops: number;

  constructor(
    tutti: Tutti,
    runId: string,
    holding: Holding,
    seen: { readonly isInterrupted: (entry: Entry) => boolean; readonly stops: number },
  ) {
    this.#tutti = tutti;
    this.#runId = runId;
    this.#holding = holding;
    this.#isInterrupted = seen.isInterrupted;
    this.#sawStops = seen.stops;
  }

  /** Work that was interrupted before is launched again, as after `resume`. */
  async amend(next: Pick<NewRun, 'input' | 'concurrency' | 'limits'>): Promise<void> {
    await this.replaceInput(next);
    await this.reopen(this.#isInterrupted);
  }

  async replaceInput(next: Pick<NewRun, 'input' | 'concurrency' | 'limits'>): Promise<void> {
    await this.#ask((by) => this.#tutti.store.amend(this.#runId, next, by));
  }

  async resume(): Promise<void> {
    await this.#ask((by) => this.#tutti.store.resume(this.#runId, by));
    await this.reopen(this.#isInterrupted);
  }

  /** Opens the ended entries that `select` chooses again, with all their parts. Returns their keys. */
  async reopen(select: (entry: Entry) => boolean): Promise<readonly string[]> {
    const { keys } = await this.#ask((by) => reopenEntries(this.#tutti, this.#runId, select, by));
    return keys;
  }

  async #ask<T extends { readonly at: string }>(
    ask: (by: Changer) => Promise<T | Held | { readonly at: 'stopped' }>,
  ): Promise<T> {
    const { me, clock, processes } = this.#tutti;
    const sawStops = this.#sawStops;
    const answer = await askPastGone<T | { readonly at: 'stopped' }>(
      (holder) => isAlive(holder, processes),
      (gone) => ask({ me, monotonic: clock.monotonic(), gone, sawStops, ...this.#holding }),
    );
    if (isHeld(answer)) throw new StillHeld(answer.by);
    if (answersStopped(answer)) throw new StoppedMeanwhile();
    return answer;
  }
}

function isHeld(answer: { readonly at: string }): answer is Held {
  return answer.at === 'held';
}

function answersStopped(answer: { readonly at: string }): answer is { readonly at: 'stopped' } {
  return answer.at === 'stopped';
}

async function changedRun(
  tutti: Tutti,
  runId: string,
  { detach = false, beside }: ChangeManner,
  stops: number,
): Promise<ChangedRun> {
  const conductor = (await isConducted(tutti, runId)) ? (await tutti.queries.holder(runId))?.id : undefined;
  const isInterrupted = await findInterruptedWork(tutti, runId);
  const until = detach ? null : tutti.lease().until;
  const holding = { until, beside: beside ?? conductor ?? null };
  return new ChangedRun(tutti, runId, holding, { isInterrupted, stops });
}

/** Reads the entries of a run, chooses among those that have ended, and opens them again as they were seen. */
export function reopenEntries(
  { store, queries }: { readonly store: Pick<Store, 'reopen'>; readonly queries: Pick<Queries, 'entries'> },
  runId: string,
  select: (entry: Entry) => boolean,
  by?: Changer,
): Promise<Exclude<Reopened, { readonly at: 'changed' }>> {
  return untilUnchanged(async () => {
    const chosen = (await queries.entries(runId)).filter((entry) => !isWaiting(entry.state) && select(entry));
    const seen = chosen.map(({ key, attempt, state }) => ({ key, attempt, at: state.at }));
    const answer = await store.reopen(runId, seen, by);
    return answer.at === 'changed' ? 'changed' : answer;
  });
}
