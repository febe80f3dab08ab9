import { chmodSync, lstatSync, mkdtempSync, renameSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { replaceFile } from '../lib/atomic-file.ts';
import { errorCode } from '../lib/error-code.ts';
import { isObject, parsed, recorded } from '../lib/json.ts';
import { isWithin } from '../lib/path-below.ts';
import { readText } from '../lib/read-text.ts';
import { findGuards, type Guard, type GuardedFolder, stateOfGuard, topmost } from './guards.ts';
import { factsOf } from './trust-root.ts';

/** What a sandboxed session found under guarded names, and what was done with those that came into being during it. */
interface GuardRecord {
  readonly folders: readonly GuardedFolder[];
  readonly before: Readonly<Record<string, string>>;
  /** Null: nothing has looked since the session began. */
  readonly moves: readonly Move[] | null;
}

export interface Move {
  readonly from: string;
  /** Null: it could not be moved. */
  readonly to: string | null;
}

const maxBytes = 4 * 1024 * 1024;

/** In the session's folder, where the sandbox makes it read-only: an agent must not say what is moved. */
export function guardRecord(sessionDir: string): string {
  return join(sessionDir, 'guarded.json');
}

/**
 * Before a session begins: a name where nothing is cannot be masked without making a file there, so these folders are looked at
 * again when it has ended. `guards` are those of these folders at least.
 */
export function recordGuards(
  sessionDir: string,
  folders: readonly GuardedFolder[],
  guards: readonly Guard[],
): void {
  const before = Object.fromEntries(guards.map(topmost).map((path) => [path, stateOfGuard(path)]));
  writeRecord(sessionDir, { folders, before, moves: null });
}

/**
 * Moves what came into being under a guarded name into the session's folder, once no process of the session is alive. Nothing is
 * deleted. The second call does nothing, and returns the same. `tell` hears of each move when it happens.
 */
export function putAside(sessionDir: string, tell: (move: Move) => void): readonly Move[] {
  const record = readRecord(sessionDir);
  if (record === null) return [];
  if (record.moves !== null) return record.moves;
  const moves: Move[] = [];
  const findNext = (): readonly string[] =>
    findNew(record).filter((path) => moves.every(({ from }) => from !== path));
  // Again, because git lists the repositories inside, and what was moved can keep it from doing so.
  for (let found = findNext(); found.length > 0; found = findNext()) {
    for (const path of found) {
      const move = { from: path, to: moveInto(sessionDir, path) };
      moves.push(move);
      tell(move);
    }
  }
  writeRecord(sessionDir, { ...record, moves });
  return moves;
}

/** What was moved, or could not be, and is still there; `was`: the session's folder at that time, from which it may have moved since. */
export function findPutAside(sessionDir: string, was = sessionDir): readonly Move[] {
  const moves = readRecord(sessionDir)?.moves ?? [];
  return moves
    .map(({ from, to }) => ({
      from,
      to: to !== null && isWithin(was, to) ? join(sessionDir, relative(was, to)) : to,
    }))
    .filter(({ from, to }) => factsOf(to ?? from) !== null);
}

function findNew({ folders, before }: GuardRecord): readonly string[] {
  const isNew = (path: string): boolean => {
    const state = stateOfGuard(path);
    return state !== 'absent' && state !== 'holder' && state !== before[path];
  };
  const guards = findGuards(folders).filter(({ whenNew }) => whenNew === 'put-aside');
  return [...new Set(guards.map(topmost))].filter(isNew);
}

/** Beside its place where the session's folder is on another file system. Null: it could not be moved. */
function moveInto(sessionDir: string, path: string): string | null {
  const target = join(mkdtempSync(join(sessionDir, 'put-aside-')), basename(path));
  for (const to of [target, `${path}.put-aside-${basename(sessionDir)}`]) {
    try {
      makeMovable(path);
      renameSync(path, to);
      return to;
    } catch (error) {
      if (errorCode(error) !== 'EXDEV') return null;
    }
  }
  return null;
}

/** An agent that keeps a folder from being written keeps what is in it from being moved. */
function makeMovable(path: string): void {
  for (const folder of [dirname(path), path]) {
    const facts = lstatSync(folder);
    if (facts.isDirectory() && (facts.mode & 0o700) !== 0o700) chmodSync(folder, facts.mode | 0o700);
  }
}

function writeRecord(sessionDir: string, record: GuardRecord): void {
  replaceFile(guardRecord(sessionDir), JSON.stringify(record));
}

function readRecord(sessionDir: string): GuardRecord | null {
  const text = readText(guardRecord(sessionDir), { maxBytes, links: 'refuse' });
  const value = text.ok ? parsed(text.value) : null;
  return isObject(value) ? recorded<GuardRecord>(value) : null;
}
