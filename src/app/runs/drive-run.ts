import type { Drive, Engine } from '../../kernel/engine.ts';
import type { Outcome } from '../../model/outcome.ts';
import { stateRemoved } from '../../model/ports/host.ts';
import { refusal, refusalOfError, type Refusal } from '../refusal.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { faultOfRun } from '../recovery/database-fault.ts';
import { heedHalts } from '../plans/host/halts.ts';
import { faultOfLostPlan } from '../recovery/lost-plan.ts';
import { keepBackups } from '../recovery/keep-backups.ts';
import { noteHookBlocks } from '../sessions/audit-blocks.ts';
import { settleEnded } from '../sessions/settle.ts';
import { showUnlaunched } from '../sessions/unlaunched.ts';
import { killRuns } from './kill-runs.ts';
import { faultOfMoved } from './moved-run.ts';
import { commandOn, heldBy, isConducted } from './run-holder.ts';
import { isDriven } from '../status/living-holder.ts';
import type { Tutti } from '../tutti.ts';
import type { ViewWriter } from '../views/view-writer.ts';

const viewsEveryMs = 500;
const slotsEveryMs = 2000;
/** Views of a large run are dear: they may take this part of our time and no more. */
const viewsShare = 0.05;

export interface DriveParams {
  readonly runId: string;
  /** Wait for people too, instead of giving the run back. */
  readonly stay: boolean;
  /** Replace a living holder: for a stop whose holder does not answer. */
  readonly takesOver?: boolean;
}

/** How often a stop is tried again that no place accepts: it must not be forgotten with this process. */
const stopAgainMs = 1000;

/** Drives one run here and keeps its views up to date. */
export async function driveRun(tutti: Tutti, params: DriveParams): Promise<Result<Outcome, Refusal>> {
  const drive = await driveHere(tutti, params);
  return drive.ok ? outcomeOf(params.runId, drive.value) : drive;
}

async function driveHere(
  tutti: Tutti,
  { runId, stay, takesOver = false }: DriveParams,
): Promise<Result<Drive, Refusal>> {
  const fault = faultOf(tutti, runId);
  if (fault !== null) return err(fault);
  using engine = await tutti.engine(() => takesOver);
  await using _backups = keepBackups(tutti);
  const views = tutti.views();
  using _ticking = sparingly(tutti, () => {
    if (tutti.store.isInPlace()) views.update(runId);
    // It looks for news, finds that there is no place for them, and ends.
    else engine.wake();
  });
  using _audit = tutti.audit.keep(tutti.clock);
  using _slots = keepSlotsFree(tutti);
  using _halts = heedHalts(tutti);
  try {
    const drive = await driveToTheEnd(tutti, engine, { runId, stay });
    tutti.wishes.sawHolder(runId, null);
    return ok(drive);
  } catch (error) {
    const known = (await endWithoutState(tutti, runId)) ?? refusalOfError(error, tutti.env);
    if (known === null) throw error;
    noteTrouble(tutti, runId, error);
    return err(isStopped(tutti, runId) ? stoppedUnrecorded(runId, known) : known);
  } finally {
    await showEnd(tutti, views, runId);
    await prune(tutti);
  }
}

/** Why a run may not be advanced as it is; null: nothing speaks against it. */
function faultOf(tutti: Tutti, runId: string): Refusal | null {
  const { paths, store } = tutti;
  return faultOfRun(paths, store, runId) ?? faultOfMoved(tutti, runId) ?? faultOfLostPlan(tutti, runId);
}

/** What people read about a run, when this process leaves it. */
async function showEnd(tutti: Tutti, views: ViewWriter, runId: string): Promise<void> {
  if (!tutti.store.isInPlace()) return;
  views.update(runId);
  await views.updatePlan(runId).catch(() => []);
  showUnlaunched(tutti, runId);
  await tell(tutti, runId);
}

/**
 * A run whose state was removed cannot continue, and nothing that its agents do could be recorded: they are ended. No view
 * is written any more, because it would make the folder again. Null: the state is in its place.
 */
async function endWithoutState(tutti: Tutti, runId: string): Promise<Refusal | null> {
  const { store, queries, paths } = tutti;
  if (store.isInPlace()) return null;
  await killRuns(tutti, [runId, ...queries.runsInside(runId)], stateRemoved);
  const message = `${paths.state} was removed or replaced while run ${runId} was under way: its agents were ended`;
  return refusal('UNAVAILABLE', message, 'restore what was recorded: tutti recover');
}

/** A stop that only this process knows keeps it alive, with nothing of the run alive, until a place accepts it. */
async function driveToTheEnd(tutti: Tutti, engine: Engine, { runId, stay }: DriveParams): Promise<Drive> {
  for (;;) {
    try {
      return await engine.drive(runId, { stay });
    } catch (error) {
      if (!tutti.wishes.isOnlyInMemory(runId) || refusalOfError(error, tutti.env) === null) throw error;
      await new Promise<void>((resolve) => void tutti.clock.timer(tutti.clock.wall() + stopAgainMs, resolve));
    }
  }
}

/** A holder that ends because it cannot write: no conductor continues its run when there is space again. */
function noteTrouble(tutti: Tutti, runId: string, error: unknown): void {
  if (!tutti.store.isInPlace() || tutti.wishes.find(runId) !== null) return;
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
 * Advances the run here, or waits while the conductor does. A run that another command advances is refused. Null: `detach`
 * was given while the conductor had the run, which continues without this process.
 */
export async function driveOrAwait(
  tutti: Tutti,
  params: DriveParams,
  detach?: AbortSignal,
): Promise<Result<Outcome, Refusal> | null> {
  for (;;) {
    await untilLeft(tutti, params.runId, detach);
    if (detach?.aborted === true) return null;
    const drive = await driveHere(tutti, params);
    if (!drive.ok) return drive;
    // The conductor that had it may have ended since, or have been killed: then it is ours, or over.
    if (drive.value.at !== 'held' || commandOn(tutti, params.runId) !== null)
      return outcomeOf(params.runId, drive.value);
  }
}

function untilLeft(tutti: Tutti, runId: string, detach?: AbortSignal): Promise<void> {
  const isAttached = (): boolean => detach?.aborted !== true && isConducted(tutti, runId);
  if (!isAttached()) return Promise.resolve();
  return new Promise((resolve) => {
    const looking = tutti.clock.every(lookEveryMs, () => {
      if (isAttached()) return;
      looking[Symbol.dispose]();
      resolve();
    });
  });
}

/** For the audit; a drive that went well has not failed because it could not be told. */
async function tell(tutti: Tutti, runId: string): Promise<void> {
  await noteHookBlocks(tutti, runId).catch(() => undefined);
  await tutti.audit.write();
}

/**
 * Where every slot of the project is taken, records what ended while no process advanced its run: what this process wants
 * to launch may wait for nothing else.
 */
function keepSlotsFree(tutti: Tutti): Disposable {
  let busy = false;
  return tutti.clock.every(slotsEveryMs, () => {
    if (busy || tutti.queries.sessions.launched().length < tutti.config.maxSessions) return;
    busy = true;
    void settleEnded(tutti)
      .catch(() => undefined)
      .finally(() => {
        busy = false;
      });
  });
}

function sparingly({ clock }: Tutti, update: () => void): Disposable {
  let notBefore = 0;
  return clock.every(viewsEveryMs, () => {
    const from = clock.monotonic();
    if (from < notBefore) return;
    update();
    const until = clock.monotonic();
    notBefore = until + (until - from) / viewsShare;
  });
}

/** Old feeds are nobody's to wait for; that they could not be removed now is no reason to fail. */
async function prune({ store, clock, config }: Tutti): Promise<void> {
  await store.pruneEvents(clock.wall() - config.eventsKeepMs).catch(() => undefined);
}

/**
 * Keeps driving until nothing but questions remains. For the conductor: every run of the project. A run that broke would
 * only break again: it is added to `broken`, and somebody must look at it.
 */
export async function driveAll(
  tutti: Tutti,
  engine: Engine,
  broken: Set<string>,
  ended: (runId: string, how: string) => void,
): Promise<void> {
  await using _backups = keepBackups(tutti);
  const views = tutti.views();
  const driving = new Set<string>();
  let wake = (): void => undefined;
  using _ticking = sparingly(tutti, () => {
    if (!tutti.store.isInPlace()) engine.wake();
    else for (const runId of driving) views.update(runId);
  });
  using _audit = tutti.audit.keep(tutti.clock);
  using _slots = keepSlotsFree(tutti);
  using _halts = heedHalts(tutti);
  using _changes = tutti.store.subscribe(() => {
    wake();
  });
  const drive = async (runId: string): Promise<void> => {
    driving.add(runId);
    try {
      const fault = faultOf(tutti, runId);
      if (fault !== null) throw new Error(`${fault.message}; ${fault.hint}`);
      const end = await engine.drive(runId, { stay: false });
      ended(runId, end.at);
    } catch (error) {
      if (refusalOfError(error, tutti.env) !== null) noteTrouble(tutti, runId, error);
      broken.add(runId);
      const gone = await endWithoutState(tutti, runId);
      ended(runId, gone?.message ?? (error instanceof Error ? error.message : String(error)));
    } finally {
      await showEnd(tutti, views, runId);
      driving.delete(runId);
      wake();
    }
  };
  for (;;) {
    const news = new Promise<void>((resolve) => {
      wake = resolve;
    });
    for (const runId of await drivable(tutti, broken)) if (!driving.has(runId)) void drive(runId);
    if (driving.size === 0) return;
    await news;
  }
}

/**
 * Runs that could go on and that no process drives; a child is driven by the process that drives its parent. Not those about
 * which the database does not say all: their stop must be recorded first, a person must resume them, or plan again what was
 * lost.
 */
export async function drivable(
  tutti: Tutti,
  except: ReadonlySet<string> = new Set(),
): Promise<readonly string[]> {
  const ids = (await tutti.store.wakeable(null)).filter((id) => !except.has(id));
  const kept = new Set(tutti.wishes.all().map(({ runId }) => runId));
  const isFree = (id: string): boolean => !isDriven(tutti, id) && !kept.has(id);
  return ids
    .filter((id) => tutti.queries.run(id)?.parent === null && isFree(id))
    .filter((id) => faultOfLostPlan(tutti, id) === null);
}

function outcomeOf(runId: string, drive: Drive): Result<Outcome, Refusal> {
  switch (drive.at) {
    case 'ended':
      return ok(drive.end.outcome);
    case 'halted':
      return ok('HALTED');
    case 'parked':
      return ok('HUMAN_INPUT');
    case 'handed-over':
      return ok('SUCCESS');
    case 'over':
      return ok(drive.run.state.at === 'ended' ? drive.run.state.outcome : 'HALTED');
    case 'held':
      return err(heldBy(runId, drive.by));
    case 'unknown':
      return err(refusal('USAGE', `there is no run ${runId}`, 'see which there are: tutti runs'));
  }
}
