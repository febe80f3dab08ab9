import { statSync } from 'node:fs';
import { keepLooking, nextLook } from '../../lib/keep-looking.ts';
import type { AdvanceEnd, Engine } from '../../kernel/engine.ts';
import type { Outcome } from '../../model/outcome.ts';
import { stateRemoved, stoppedWithRun } from '../../model/ports/host.ts';
import { outlinesByName } from '../../model/outline.ts';
import { isTerminal } from '../../model/session.ts';
import { livingRuns } from '../../runtime/living-attempts.ts';
import { endedSilently } from '../../runtime/recorded-end.ts';
import { writeTerminal } from '../../runtime/session-state.ts';
import { refusal, refusalOfError, type Refusal } from '../refusal.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { faultOfRun } from '../recovery/database-fault.ts';
import { faultOfLostPlan } from '../recovery/lost-plan.ts';
import { faultOfOrphaned } from '../recovery/orphaned-attempts.ts';
import { noteHookBlocks } from '../sessions/audit-blocks.ts';
import { recordEnded } from '../sessions/record-ended.ts';
import { killRuns } from './kill-runs.ts';
import { faultOfMoved } from './moved-run.ts';
import { advanceable } from './overdue.ts';
import { ensureConductor } from './ensure-conductor.ts';
import { commandOn, heldBy, isConducted } from './run-holder.ts';
import { hasLapsed } from '../status/living-holder.ts';
import { runStatus } from '../status/run-status.ts';
import { setAsideLateResults } from '../host/late-result.ts';
import type { Tutti } from '../tutti.ts';
import type { ViewWriter } from '../views/view-writer.ts';

const viewsEveryMs = 500;
const slotsEveryMs = 2000;
const askingEveryMs = 500;
const backupsEveryMs = 60 * 60_000;
const backupsCheckMs = 5 * 60_000;
/** Views of a large run are dear: they may take this part of our time and no more. */
const viewsShare = 0.05;

export interface AdvanceParams {
  readonly runId: string;
  /** Wait for people too, instead of giving the run back. */
  readonly stay: boolean;
  /** Replace a living holder: for a stop whose holder does not answer. */
  readonly takesOver?: boolean;
}

/** How often a stop is tried again that no place accepts: it must not be forgotten with this process. */
const stopAgainMs = 1000;

/** Advances one run here and keeps its views up to date. */
export async function advanceRun(tutti: Tutti, params: AdvanceParams): Promise<Result<Outcome, Refusal>> {
  const advanced = await advanceHere(tutti, params);
  return advanced.ok ? outcomeOf(tutti, params.runId, advanced.value) : advanced;
}

async function advanceHere(
  tutti: Tutti,
  { runId, stay, takesOver = false }: AdvanceParams,
): Promise<Result<AdvanceEnd, Refusal>> {
  const fault = await faultOf(tutti, runId);
  if (fault !== null) return err(fault);
  using engine = await tutti.engine(() => takesOver);
  await using _backups = keepBackups(tutti);
  const views = tutti.views();
  await using _ticking = sparingly(tutti, async () => {
    if (await tutti.store.isInPlace()) await views.update(runId);
    // It looks for news, finds that there is no place for them, and ends.
    else engine.wake();
  });
  using _audit = tutti.audit.keep(tutti.clock);
  await using _slots = keepSlotsFree(tutti);
  await using _halts = await tutti.heedHalts();
  await using _asking = stay ? null : leaveWhenAsking(tutti, engine, runId);
  try {
    const advanced = await advanceToTheEnd(tutti, engine, { runId, stay });
    await endLeftovers(tutti, runId);
    tutti.wishes.sawHolder(runId, null);
    // It follows what lives, and the answer continues the run.
    if (advanced.at === 'left') await ensureConductor(tutti, [runId]);
    return ok(advanced);
  } catch (error) {
    const known = (await endWithoutState(tutti, runId)) ?? refusalOfError(error, tutti.env);
    if (known === null) throw error;
    await noteTrouble(tutti, runId, error);
    return err(isStopped(tutti, runId) ? stoppedUnrecorded(runId, known) : known);
  } finally {
    await showEnd(tutti, views, runId);
    await prune(tutti);
  }
}

/** A process that is not to wait for people leaves a run of which every living session waits for one. */
function leaveWhenAsking(tutti: Tutti, engine: Engine, runId: string): AsyncDisposable {
  return keepLooking(tutti.clock, askingEveryMs, async () => {
    if (await onlyAsks(tutti, runId)) engine.leave(runId);
  });
}

/** Whether only people can continue the run, and living sessions of it are among those who ask. */
async function onlyAsks(tutti: Tutti, runId: string): Promise<boolean> {
  // Most runs ask nothing, and their state is dearer than this.
  if (!(await tutti.queries.openQuestions(runId)).some(({ asker }) => asker !== null)) return false;
  const now = await runStatus(tutti, outlinesByName, runId);
  return now?.state === 'waiting' && now.questions.some(({ asker }) => asker !== null);
}

/** Why a run may not be advanced as it is; null: nothing speaks against it. */
async function faultOf(tutti: Tutti, runId: string): Promise<Refusal | null> {
  const { paths, store } = tutti;
  return (
    (await faultOfRun(paths, store, runId)) ??
    (await faultOfMoved(tutti, runId)) ??
    (await faultOfLostPlan(tutti, runId)) ??
    (await faultOfOrphaned(tutti, runId))
  );
}

/** What people read about a run, when this process leaves it. */
async function showEnd(tutti: Tutti, views: ViewWriter, runId: string): Promise<void> {
  if (!(await tutti.store.isInPlace())) return;
  await views.update(runId);
  await views.updatePlan(runId).catch(() => []);
  await showUnlaunched(tutti, runId);
  await setAsideLateResults(tutti, runId).catch(() => undefined);
  await tell(tutti, runId);
}

/** Updates the view of each session that ended before it started: it has no launcher to write how it ended. */
async function showUnlaunched(
  { queries, paths }: Pick<Tutti, 'queries' | 'paths'>,
  runId: string,
): Promise<void> {
  for (const { id, status, startedAt } of await queries.sessions.ofRun(runId)) {
    if (startedAt !== null || !isTerminal(status)) continue;
    const end = status === 'KILLED' ? endedSilently('killed', 'before it started') : 'lost';
    try {
      writeTerminal(paths.session(id), end);
    } catch {
      // A view: the tables record the end, and `tutti session status` shows it.
    }
  }
}

/**
 * A run whose state was removed cannot continue, and nothing that its agents do could be recorded: they are ended. No view
 * is written any more, because it would make the folder again. Null: the state is in its place.
 */
async function endWithoutState(tutti: Tutti, runId: string): Promise<Refusal | null> {
  const { store, queries, paths } = tutti;
  if (await store.isInPlace()) return null;
  await killRuns(tutti, [runId, ...(await queries.runsInside(runId))], stateRemoved);
  // A file in the place of the folder is no state either.
  const isFolder = statSync(paths.state, { throwIfNoEntry: false })?.isDirectory() === true;
  const message = `${isFolder ? paths.database : paths.state} was removed or replaced while run ${runId} was under way: its agents were ended`;
  return refusal('UNAVAILABLE', message, 'restore what was recorded: tutti recover');
}

/** A stopped run leaves nothing alive, also of steps that had ended before and left processes behind. */
async function endLeftovers(tutti: Tutti, runId: string): Promise<void> {
  const { queries, paths } = tutti;
  if ((await queries.run(runId))?.cancelled !== true) return;
  const lives = livingRuns(paths.mark);
  const ids = [runId, ...(await queries.runsInside(runId))].filter(lives);
  if (ids.length > 0) await killRuns(tutti, ids, stoppedWithRun);
}

/** A stop that only this process knows keeps it alive, with nothing of the run alive, until a place accepts it. */
async function advanceToTheEnd(
  tutti: Tutti,
  engine: Engine,
  { runId, stay }: AdvanceParams,
): Promise<AdvanceEnd> {
  for (;;) {
    try {
      return await engine.advance(runId, { stay });
    } catch (error) {
      if (!tutti.wishes.isOnlyInMemory(runId) || refusalOfError(error, tutti.env) === null) throw error;
      await new Promise<void>((resolve) => void tutti.clock.timer(tutti.clock.wall() + stopAgainMs, resolve));
    }
  }
}

/** A holder that ends because it cannot write: no conductor continues its run when there is space again. */
async function noteTrouble(tutti: Tutti, runId: string, error: unknown): Promise<void> {
  if (!(await tutti.store.isInPlace()) || tutti.wishes.find(runId) !== null) return;
  tutti.wishes.sawHolder(runId, error instanceof Error ? error : new Error(String(error)));
}

function isStopped(tutti: Tutti, runId: string): boolean {
  return tutti.wishes.of(runId) === 'stop';
}

function stoppedUnrecorded(runId: string, { message, outcome }: Refusal): Refusal {
  const stopped = `run ${runId} is stopped and nothing of it is alive, but that could not be recorded: ${message}`;
  return refusal(outcome, stopped, `when that is over, the next command records it: tutti resume ${runId}`);
}

/** How often a command looks whether the conductor still advances the run that it waits for. */
const lookEveryMs = 200;

/**
 * Advances the run here, or waits while the conductor does. A run that another command advances is refused. Without `stay` it
 * returns as soon as only people can continue, living sessions that ask included: the conductor follows those. Null: `detach` was
 * given while the conductor had the run, which continues without this process.
 */
export async function advanceOrAwait(
  tutti: Tutti,
  params: AdvanceParams,
  detach?: AbortSignal,
): Promise<Result<Outcome, Refusal> | null> {
  for (;;) {
    const left = await untilLeft(tutti, params, detach);
    if (detach?.aborted === true) return null;
    if (left === 'asks') return ok('HUMAN_INPUT');
    const advanced = await advanceHere(tutti, params);
    if (!advanced.ok) return advanced;
    // It was answered in the same moment: the run continues with the conductor.
    if (advanced.value.at === 'left' && !(await onlyAsks(tutti, params.runId))) continue;
    // The conductor that had it may have ended since, or have been killed: then it is ours, or over.
    if (advanced.value.at !== 'held' || (await commandOn(tutti, params.runId)) !== null)
      return outcomeOf(tutti, params.runId, advanced.value);
  }
}

/** A conductor whose lease has lapsed has left the run as well: the next claim takes it over. */
async function untilLeft(
  tutti: Tutti,
  { runId, stay }: AdvanceParams,
  detach?: AbortSignal,
): Promise<'left' | 'asks'> {
  const isAttached = async (): Promise<boolean> => {
    if (detach?.aborted === true || !(await isConducted(tutti, runId))) return false;
    const holder = await tutti.queries.holder(runId);
    return holder === null || !(await hasLapsed(tutti, holder));
  };
  while (await isAttached()) {
    if (!stay && (await onlyAsks(tutti, runId))) return 'asks';
    await nextLook(tutti.clock, lookEveryMs);
  }
  return 'left';
}

/** For the audit; a advance that went well has not failed because it could not be told. */
async function tell(tutti: Tutti, runId: string): Promise<void> {
  await noteHookBlocks(tutti, runId).catch(() => undefined);
  await tutti.audit.write();
}

/**
 * Where every slot of the project is taken, records what ended while no process advanced its run: what this process wants
 * to launch may wait for nothing else.
 */
function keepSlotsFree(tutti: Tutti): AsyncDisposable {
  return keepLooking(tutti.clock, slotsEveryMs, async () => {
    if ((await tutti.queries.sessions.launched()).length >= tutti.config.maxSessions)
      await recordEnded(tutti);
  });
}

/**
 * Copies the project's database while this process advances runs: when it begins, and then every hour. A younger database
 * needs no copy, because its changes are all kept. A copy that fails stops no run.
 */
function keepBackups({ store, clock }: Pick<Tutti, 'store' | 'clock'>): AsyncDisposable {
  let copying: Promise<unknown> = Promise.resolve();
  const copy = (): void => {
    copying = copying.then(() => store.backUp(backupsEveryMs)).catch(() => undefined);
  };
  copy();
  const looking = clock.every(backupsCheckMs, copy);
  return {
    async [Symbol.asyncDispose]() {
      looking[Symbol.dispose]();
      await copying;
    },
  };
}

function sparingly({ clock }: Tutti, update: () => Promise<void>): AsyncDisposable {
  let notBefore = 0;
  return keepLooking(clock, viewsEveryMs, async () => {
    const from = clock.monotonic();
    if (from < notBefore) return;
    await update();
    const until = clock.monotonic();
    notBefore = until + (until - from) / viewsShare;
  });
}

/** Old feeds are nobody's to wait for; that they could not be removed now is no reason to fail. */
async function prune({ store, clock, config }: Tutti): Promise<void> {
  await store.pruneEvents(clock.wall() - config.eventsKeepMs).catch(() => undefined);
}

/**
 * Keeps advancing until nothing but questions remains. For the conductor: every run of the project. A run that broke would
 * only break again: it is added to `broken`, and somebody must look at it.
 */
export async function advanceAll(
  tutti: Tutti,
  engine: Engine,
  broken: Set<string>,
  ended: (runId: string, how: string) => void,
): Promise<void> {
  await using _backups = keepBackups(tutti);
  const views = tutti.views();
  const advancing = new Set<string>();
  let wake = (): void => undefined;
  await using _ticking = sparingly(tutti, async () => {
    if (!(await tutti.store.isInPlace())) engine.wake();
    else for (const runId of advancing) await views.update(runId);
  });
  using _audit = tutti.audit.keep(tutti.clock);
  await using _slots = keepSlotsFree(tutti);
  await using _halts = await tutti.heedHalts();
  using _changes = tutti.store.subscribe(() => {
    wake();
  });
  const advance = async (runId: string): Promise<void> => {
    advancing.add(runId);
    try {
      const fault = await faultOf(tutti, runId);
      if (fault !== null) throw new Error(`${fault.message}; ${fault.hint}`);
      const end = await engine.advance(runId, { stay: false });
      await endLeftovers(tutti, runId);
      ended(runId, end.at);
    } catch (error) {
      if (refusalOfError(error, tutti.env) !== null) await noteTrouble(tutti, runId, error);
      broken.add(runId);
      const gone = await endWithoutState(tutti, runId);
      ended(runId, gone?.message ?? (error instanceof Error ? error.message : String(error)));
    } finally {
      await showEnd(tutti, views, runId);
      advancing.delete(runId);
      wake();
    }
  };
  for (;;) {
    const news = new Promise<void>((resolve) => {
      wake = resolve;
    });
    for (const runId of await advanceable(tutti, broken)) if (!advancing.has(runId)) void advance(runId);
    if (advancing.size === 0) return;
    await news;
  }
}

async function outcomeOf(
  tutti: Tutti,
  runId: string,
  advanced: AdvanceEnd,
): Promise<Result<Outcome, Refusal>> {
  switch (advanced.at) {
    case 'ended':
      return ok(advanced.end.outcome);
    case 'halted':
      return ok('HALTED');
    case 'parked':
    case 'left':
      return ok('HUMAN_INPUT');
    case 'handed-over':
      return ok('SUCCESS');
    case 'over':
      return ok(advanced.run.state.at === 'ended' ? advanced.run.state.outcome : 'HALTED');
    case 'held':
      return err(await heldBy(tutti, runId, advanced.by));
    case 'unknown':
      return err(refusal('USAGE', `there is no run ${runId}`, 'see which there are: tutti runs'));
  }
}
