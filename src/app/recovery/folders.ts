import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../lib/atomic-file.ts';
import { isSafeId } from '../../lib/ids.ts';
import { parsed } from '../../lib/json.ts';
import { readText } from '../../lib/read-text.ts';
import type { Database } from '../../store/database.ts';
import {
  parseKeptRun,
  parseKeptTurn,
  putRunBack,
  putTurnBack,
  type KeptTurn,
} from '../../store/kept-turns.ts';
import { runRecordPath, turnRecordsFolder } from '../host/turn-record.ts';
import type { ProjectPaths } from '../project.ts';
import type { Loss } from './loss.ts';

const maxBytes = 64 * 1024 * 1024;

/** Turns that were put back, and those that could not be. */
export interface PutBack {
  readonly turns: number;
  readonly lost: readonly Loss[];
}

/**
 * Puts back every turn whose record is beside the database and which the database does not know. One that it knows as
 * launched and whose folder is gone is lost as well: it may have finished since.
 */
export function putTurnsBack(db: Database, paths: ProjectPaths): PutBack {
  const runs = idsIn(join(paths.state, 'runs'));
  const turns = runs.flatMap((runId) => unknownTurns(db, paths, runId));
  const lost = runs.flatMap((runId) => launchedWithoutFolder(db, paths, runId));
  const known = lost.length;
  // An earlier attempt of a turn must not take the place of a later one.
  for (const turn of turns.toSorted((a, b) => attemptOf(a) - attemptOf(b))) {
    const loss = putOneBack(db, paths, turn);
    if (loss !== null) lost.push(loss);
  }
  return { turns: turns.length - (lost.length - known), lost };
}

function launchedWithoutFolder(db: Database, paths: ProjectPaths, runId: string): Loss[] {
  return idsIn(turnRecordsFolder(paths, runId), '.json')
    .filter((id) => isOpen(db, id) && !bringFolderBack(paths, id))
    .map(lostFolder);
}

/** Whether a turn was launched that the database does not know: it is older than the folders. */
export function hasUnknownTurn(db: Database, paths: ProjectPaths): boolean {
  return idsIn(join(paths.state, 'runs')).some((runId) => unknownTurns(db, paths, runId).length > 0);
}

function unknownTurns(db: Database, paths: ProjectPaths, runId: string): readonly KeptTurn[] {
  const folder = turnRecordsFolder(paths, runId);
  return idsIn(folder, '.json')
    .filter((id) => !isKnown(db, 'sessions', id))
    .flatMap((id) => {
      const turn = parseKeptTurn(readJson(join(folder, `${id}.json`)));
      // What names another run or session than its place does was not written by Tutti.
      return turn?.session['id'] === id && turn.session['run'] === runId && turn.entry['run'] === runId
        ? [turn]
        : [];
    });
}

function attemptOf({ session }: KeptTurn): number {
  return Number(session['attempt']);
}

function putOneBack(db: Database, paths: ProjectPaths, turn: KeptTurn): Loss | null {
  const [id, runId] = [String(turn.session['id']), String(turn.session['run'])];
  if (!bringFolderBack(paths, id)) {
    return lostFolder(id);
  }
  if (!isKnown(db, 'runs', runId)) {
    const run = parseKeptRun(readJson(runRecordPath(paths, runId)));
    if (run?.run['id'] !== runId) return { what: 'session', id, why: `its run ${runId} is not known` };
    putRunBack(db, run);
  }
  putTurnBack(db, turn);
  return null;
}

export function lostFolder(id: string): Loss {
  return { what: 'session', id, why: 'its folder is gone, so its turn starts again' };
}

/** A session that was archived later is not archived in this database. False: its folder is nowhere. */
function bringFolderBack(paths: ProjectPaths, id: string): boolean {
  const [folder, archived] = [paths.session(id), paths.archived(id)];
  if (existsSync(folder)) return true;
  if (!existsSync(archived)) return false;
  makePrivateFolder(join(paths.state, 'sessions'));
  renameSync(archived, folder);
  return true;
}

/** Runs, sessions and plans that have a state on disk and no record; those that were named before are left out. */
export function findUnknown(paths: ProjectPaths, db: Database, named: readonly Loss[]): readonly Loss[] {
  const known = new Set(named.flatMap((loss) => (loss.what === 'changes' ? [] : [loss.id])));
  const why = 'its record is lost; its files are kept';
  const kinds = [
    ['runs', 'run'],
    ['sessions', 'session'],
    ['plans', 'plan'],
  ] as const;
  return kinds.flatMap(([table, what]) =>
    idsWithState(paths, table)
      .filter((id) => !isKnown(db, table, id) && !known.has(id))
      .map((id): Loss => ({ what, id, why })),
  );
}

/** Those that have a state on disk, which is written from the database. */
export function idsWithState(
  { state }: ProjectPaths,
  table: 'runs' | 'sessions' | 'plans',
): readonly string[] {
  const folder = join(state, table);
  return idsIn(folder).filter((id) => existsSync(join(folder, id, 'state.json')));
}

/** Runs and sessions of which nothing is known would make the database look like that of another project. */
export function setUnknownAside(paths: ProjectPaths, unknown: boolean, aside: string): void {
  if (!unknown) return;
  for (const name of ['runs', 'sessions']) {
    const folder = join(paths.state, name);
    if (!existsSync(folder)) continue;
    makePrivateFolder(aside);
    renameSync(folder, join(aside, name));
  }
}

/**
 * The records of turns that are lost and were named: with them in their place, the database would be refused as one that does
 * not know these turns.
 */
export function setLostAside(paths: ProjectPaths, lost: readonly Loss[], aside: string): void {
  const ids = new Set(lost.flatMap((loss) => (loss.what === 'session' ? [loss.id] : [])));
  if (ids.size === 0) return;
  for (const runId of idsIn(join(paths.state, 'runs'))) {
    const folder = turnRecordsFolder(paths, runId);
    for (const id of idsIn(folder, '.json').filter((each) => ids.has(each))) {
      makePrivateFolder(join(aside, 'turns'));
      renameSync(join(folder, `${id}.json`), join(aside, 'turns', `${id}.json`));
    }
  }
}

/** Whether the database knows a session of which it knows no end. */
function isOpen(db: Database, id: string): boolean {
  const row = db.get(`select 1 from sessions where id = ? and status in ('CREATED', 'RUNNING')`, id);
  return row !== undefined;
}

function isKnown(db: Database, table: 'runs' | 'sessions' | 'plans', id: string): boolean {
  const column = table === 'plans' ? 'name' : 'id';
  return db.get(`select 1 from ${table} where ${column} = ?`, id) !== undefined;
}

function idsIn(folder: string, extension = ''): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .map((name) => name.slice(0, name.length - extension.length))
    .filter(isSafeId);
}

function readJson(path: string): ReturnType<typeof parsed> {
  const text = readText(path, { maxBytes, links: 'refuse' });
  try {
    return text.ok ? parsed(text.value) : null;
  } catch {
    return null;
  }
}
