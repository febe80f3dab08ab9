import { copyFileSync, existsSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makePrivateFolder } from '../../lib/atomic-file.ts';
import { timestampId } from '../../lib/ids.ts';
import { probe } from '../../lib/probe.ts';
import { isAlive } from '../../lib/process/identity.ts';
import { processesWithOpen } from '../../lib/process/open-files.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { syncPath } from '../../lib/sync-path.ts';
import type { BackupFolder } from '../../store/backup-folder.ts';
import { lineageOf } from '../../store/change-log.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { type FileState, inspectFile, isEmptied, knowsId } from '../../store/inspect.ts';
import { haltRuns } from '../../store/kept-turns.ts';
import { forgetHolders, liveHolder } from '../../store/live-holder.ts';
import { anySession, type SessionTotals } from '../../model/ports/session-queries.ts';
import { databaseFiles, keepNewer, restore, type Restored } from '../../store/restore.ts';
import { firstFew } from '../../lib/first-few.ts';
import { restorePlanFiles } from '../plan-files/kept-files.ts';
import type { ProjectPaths } from '../project.ts';
import { findUnknownRuns } from './unknown-runs.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { recordEnded } from '../sessions/record-ended.ts';
import { refuseUnwritable } from '../trust/refuse-unwritable.ts';
import {
  bindLineage,
  boundLineage,
  makeState,
  refuseClosed,
  refuseState,
  restoreId,
} from '../trust/state-mark.ts';
import { backupFolderOf } from '../open-store.ts';
import { openTutti, type Place, type Tutti } from '../tutti.ts';
import { isOfAnother, wasUsed } from './database-fault.ts';
import {
  findUnknown,
  hasUnknownTurn,
  lostFolder,
  putTurnsBack,
  setLostAside,
  setUnknownAside,
} from './folders.ts';
import type { Loss } from './loss.ts';
import { findOrphaned, type OrphanedAttempt } from './orphaned-attempts.ts';
import { bringRemovedBack, findRemoved, type RemovedRuns } from './removed-runs.ts';

export interface Recovered {
  /** Null: the database was in order, and nothing was replaced. */
  readonly replaced: Replaced | null;
  readonly secondCopy: SecondCopy;
  readonly runs: number;
  readonly sessions: number;
  /** Sessions whose end was read from their folder. */
  readonly found: readonly string[];
  /** Sessions that still work. */
  readonly living: readonly string[];
  /** Runs that were stopped while their record could not be changed: the stop is recorded now. */
  readonly stopped: readonly string[];
  /** Runs that wait for `tutti resume`, because not everything that was recorded about them is known. */
  readonly halted: readonly string[];
  readonly lost: readonly Loss[];
  /** Files of plans that were written again. */
  readonly planFiles: readonly string[];
  readonly removed: RemovedRuns;
  /** Runs with living processes that no record tells of. */
  readonly unknown: readonly string[];
}

/** What is kept of the database outside the project. */
export interface SecondCopy {
  /** Changes that could not have been restored from it. */
  readonly lacked: number;
  /** Whether they can be now, because all of the database was copied again. */
  readonly isComplete: boolean;
}

export interface Replaced {
  /** What was wrong with the database. */
  readonly was: Exclude<FileState, 'sound'> | 'of another project';
  /** Null: neither a copy nor changes of it are kept. */
  readonly from: Restored | null;
  /** Where the database that was replaced is kept; null: there was none. */
  readonly kept: string | null;
}

export interface RecoverOptions {
  /** Records the stops of runs that were lost when they were stopped. Returns the runs. */
  readonly recordStops: (tutti: Tutti) => Promise<readonly string[]>;
  /** Brings runs to their halt of which nothing is at work. */
  readonly settleHalts: (tutti: Tutti, ids: readonly string[]) => Promise<void>;
  readonly readFolders?: typeof putTurnsBack;
  /** Also bring back the runs of a state that was removed and that another one replaced. */
  readonly bringBack?: boolean;
}

const haltReason = 'the database was recovered without its last changes';
const lostResult = 'the result of a turn was lost with its files';

/**
 * Replaces a database that is damaged, old or gone by what is kept of it, and reads the folders of turns that the result
 * does not know. The new database is complete before it takes the place of the old one, by one rename, so that a crash leaves
 * the old state or the new. Repeating it is harmless.
 */
export async function recover(place: Place, options: RecoverOptions): Promise<Result<Recovered, Refusal>> {
  const { readFolders = putTurnsBack } = options;
  const { paths, env } = place;
  const unusable =
    refuseClosed(paths, env) ?? refuseUnwritable(paths, env, false) ?? refuseForeign(paths, env);
  if (unusable !== null) return err(unusable);
  const backups = backupFolderOf(paths, env);
  const bound = boundLineage(paths, env);
  const was = whatIsWrong(paths, backups, bound);
  if (was === null) return finishRecovery(place, { replaced: null, halted: [], lost: [] }, options);
  if (!wasUsed(paths) && backups.lineages().length === 0) {
    return err(await nothingToRecover(paths));
  }
  const busy = refuseBusy(paths);
  if (busy !== null) return err(busy);
  makeState(paths, env);
  const target = `${paths.database}.recovering`;
  for (const file of databaseFiles(target)) rmSync(file, { force: true });
  const restored = restore(backups, target, bound);
  const from = was === 'behind' ? keepNewer(paths.database, target, restored) : restored;
  const built = rebuild(paths, target, from, readFolders);
  if (!built.ok) return built;
  probe('recover:built');
  bindLineage(paths, env, keepCopy(backups, target));
  probe('recover:kept');
  const aside = freeFolder(join(paths.state, 'damaged'), timestampId(Date.now()));
  const { halted, lost, gone, unknown } = built.value;
  setUnknownAside(paths, unknown, aside);
  const replaced = { was, from, kept: putInPlace(paths, target, aside) };
  // Last: a recovery that is killed before names them again.
  setLostAside(paths, gone, aside);
  return finishRecovery(place, { replaced, halted, lost }, options);
}

/** A folder that Tutti made here gets its id back; any other is refused. */
function refuseForeign(paths: ProjectPaths, env: Place['env']): Refusal | null {
  restoreId(paths, env);
  return refuseState(paths, env);
}

async function nothingToRecover(paths: ProjectPaths): Promise<Refusal> {
  const message = `there is nothing to recover in ${paths.root}`;
  const unknown = await findUnknownRuns(paths, async () => false);
  if (unknown.length === 0) return refusal('USAGE', message, 'start with: tutti init');
  const alive = `processes of ${unknown.length === 1 ? 'run' : 'runs'} ${firstFew(unknown, 10)} are alive`;
  return refusal('USAGE', `${message}, but ${alive}`, 'end them: tutti stop --all');
}

/**
 * A process that still has the old file open would lose its run, and end the agents of the run, when the file is replaced. What
 * is kept may not know it: then the open file is the only sign.
 */
function refuseBusy({ state, database }: ProjectPaths): Refusal | null {
  if (!existsSync(state)) return null;
  const [pid] = processesWithOpen(join(realpathSync(state), basename(database)));
  return pid === undefined ? null : stillBusy(pid, `process ${pid} still uses the database of this project`);
}

function stillBusy(pid: number | string, message: string): Refusal {
  return refusal('FAILURE', message, `end it: kill ${pid}, then: tutti recover`);
}

function whatIsWrong(
  paths: ProjectPaths,
  backups: BackupFolder,
  bound: string | null,
): Replaced['was'] | null {
  const state = inspectFile(paths.database, backups);
  if (state !== 'sound') return state;
  using db = openDatabase(paths.database, () => null);
  if (bound !== null && lineageOf(db).id !== bound) return isEmptied(db) ? 'empty' : 'of another project';
  if (isOfAnother(paths, (id) => knowsId(db, id))) return 'of another project';
  return hasUnknownTurn(db, paths) ? 'behind' : null;
}

interface Built {
  readonly halted: readonly string[];
  readonly lost: readonly Loss[];
  /** Those of them that are turns whose record is here and could not be put back. */
  readonly gone: readonly Loss[];
  /** Whether the result knows none of the runs and sessions that are here. */
  readonly unknown: boolean;
}

/** Completes the restored database from the folders; refused while a process still advances runs with the old one. */
function rebuild(
  paths: ProjectPaths,
  target: string,
  from: Restored | null,
  readFolders: typeof putTurnsBack,
): Result<Built, Refusal> {
  using db = openDatabase(target, () => null);
  const holder = liveHolder(db, (one) => one.pid !== process.pid && isAlive(one));
  if (holder !== null) {
    return err(stillBusy(holder.replace(/\D+/g, ''), `${holder} still advances runs of this project`));
  }
  db.exec('begin immediate');
  forgetHolders(db);
  const { turns, lost } = readFolders(db, paths);
  // A turn that only its folder knows was launched after the last change that is kept.
  const changes = lostChanges(from, turns + lost.length > 0);
  const halted = changes === null ? [] : haltRuns(db, haltReason);
  db.exec('commit');
  const unknown = isOfAnother(paths, (id) => knowsId(db, id));
  const named = findUnknown(paths, db, lost);
  db.exec('pragma journal_mode=delete');
  const losses = [...(changes === null ? [] : [changes]), ...lost, ...named];
  return ok({ halted, lost: losses, gone: lost, unknown });
}

function lostChanges(from: Restored | null, foundLater: boolean): Loss | null {
  if (from === null) return { what: 'changes', count: null, since: null };
  if (from.missing > 0) return { what: 'changes', count: from.missing, since: from.asOf };
  return foundLater ? { what: 'changes', count: null, since: from.asOf } : null;
}

/** What the folders brought is in no log of changes, so the result is kept as a copy. Returns the name of the database. */
function keepCopy(backups: BackupFolder, target: string): string {
  const lineage = ((): ReturnType<typeof lineageOf> => {
    using db: Database = openDatabase(target, () => null);
    const found = lineageOf(db);
    db.exec('pragma journal_mode=delete');
    return found;
  })();
  try {
    copyFileSync(target, backups.begin(lineage));
    backups.finish(lineage, Date.now());
  } catch {
    // A number that no log has is a gap: whoever can write next copies everything.
    using db: Database = openDatabase(target, () => null);
    db.run('update lineage set changes = changes + 1');
    db.exec('pragma journal_mode=delete');
  }
  return lineage.id;
}

/** Sets aside what is there and renames the new database to its place. Returns where the old one is. */
function putInPlace({ database }: ProjectPaths, target: string, aside: string): string | null {
  syncPath(target);
  const there = databaseFiles(database).filter((file) => existsSync(file));
  if (there.length > 0) makePrivateFolder(aside);
  for (const file of there) {
    renameSync(file, join(aside, basename(file)));
    probe('recover:set-aside');
  }
  renameSync(target, database);
  syncPath(dirname(database));
  probe('recover:replaced');
  return there.includes(database) ? join(aside, basename(database)) : null;
}

function freeFolder(parent: string, name: string): string {
  for (let n = 1; ; n += 1) {
    const folder = join(parent, n === 1 ? name : `${name}-${n}`);
    if (!existsSync(folder)) return folder;
  }
}

/** With the database in place: records what ended meanwhile. */
async function finishRecovery(
  place: Place,
  { replaced, halted, lost }: Pick<Recovered, 'replaced' | 'halted' | 'lost'>,
  options: RecoverOptions,
): Promise<Result<Recovered, Refusal>> {
  const { paths, env } = place;
  const opened = openTutti({ folder: paths.root, env, create: true, despiteConfig: true });
  if (!opened.ok) return opened;
  using tutti = opened.value;
  const removed = options.bringBack === true ? bringRemovedBack(tutti) : findRemoved(tutti);
  const secondCopy = await completeCopy(tutti);
  const foldersGone = await findFoldersGone(tutti);
  const ended = await recordEnded(tutti);
  const gone = ended.filter((id) => foldersGone.has(id));
  const stopped = await options.recordStops(tutti);
  const { queries } = tutti;
  const tops = await haltTops(tutti, gone);
  const allHalted = [...new Set([...halted, ...removed.halted, ...tops])].filter(
    (id) => !stopped.includes(id),
  );
  await options.settleHalts(tutti, allHalted);
  const runs = await queries.runs(null);
  const open = runs.filter(({ state, parent }) => state.at !== 'ended' && parent === null);
  const orphaned: Loss[] = [];
  for (const { id } of open) orphaned.push(...(await findOrphaned(tutti, id)).map(lossOfOrphaned));
  const files = await restoreFiles(tutti);
  return ok({
    replaced,
    secondCopy,
    runs: runs.length,
    sessions: sumOf(await tutti.queries.sessions.totals(anySession)),
    found: ended.filter((id) => !foldersGone.has(id)),
    living: (await tutti.queries.sessions.launched()).map(({ session }) => session.id),
    stopped,
    halted: allHalted,
    lost: [...lost, ...gone.filter((id) => !isNamed(lost, id)).map(lostFolder), ...orphaned, ...files.lost],
    planFiles: files.written,
    removed,
    unknown: await findUnknownRuns(paths, async (id) => (await tutti.queries.run(id)) !== null),
  });
}

/** Sessions that were seen to start and whose folder is gone: when they have ended, their result is gone as well. */
async function findFoldersGone({ queries, paths }: Tutti): Promise<ReadonlySet<string>> {
  const launched = (await queries.sessions.launched()).map(({ session }) => session);
  const gone = launched.filter(({ id, status }) => status === 'RUNNING' && !existsSync(paths.session(id)));
  return new Set(gone.map(({ id }) => id));
}

/** Runs of which a turn would be paid again wait for a person. Returns those that were under way. */
async function haltTops({ queries, store }: Tutti, sessions: readonly string[]): Promise<readonly string[]> {
  const halted: string[] = [];
  for (const id of sessions) {
    const session = await queries.sessions.one(id);
    let run = session === null ? null : await queries.run(session.runId);
    while (run !== null && run.parent !== null) run = await queries.run(run.parent.runId);
    if (run !== null && (await store.halt(run.id, lostResult))) halted.push(run.id);
  }
  return halted;
}

function isNamed(losses: readonly Loss[], session: string): boolean {
  return losses.some((loss) => loss.what === 'session' && loss.id === session);
}

async function completeCopy({ store }: Tutti): Promise<SecondCopy> {
  const lacked = await store.missingInCopy();
  const isComplete = lacked === 0 || (await store.backUp(0).catch(() => false));
  return { lacked, isComplete };
}

/** The record of a plan is in the database, its files are not: they come from their own copy. */
async function restoreFiles(
  tutti: Tutti,
): Promise<{ readonly written: readonly string[]; readonly lost: readonly Loss[] }> {
  const plans = await tutti.queries.plans.all();
  const restored = await Promise.all(
    plans.map(async (plan) => {
      const ids = (await tutti.queries.plans.states(plan.name)).map(({ id }) => id);
      return { plan, ...restorePlanFiles(tutti, plan, ids) };
    }),
  );
  const lost = restored.flatMap(({ plan, missing }): Loss[] => {
    const why = `its files are gone and no copy is kept: ${missing.join(', ')}`;
    return missing.length === 0 ? [] : [{ what: 'plan', id: plan.name, why }];
  });
  return {
    written: restored.flatMap(({ plan, written }) => written.map((name) => `${plan.name}/${name}`)),
    lost,
  };
}

function lossOfOrphaned(orphaned: OrphanedAttempt): Loss {
  const { runId, step, sessionId } = orphaned;
  const why = `still works, but its files are gone and its result cannot be read; end it: tutti stop ${runId}`;
  return sessionId === null
    ? { what: 'run', id: runId, why: `the command of step ${step} ${why}` }
    : { what: 'session', id: sessionId, why: `it ${why}` };
}

function sumOf(totals: SessionTotals): number {
  return Object.values(totals).reduce((sum, count) => sum + count, 0);
}
