import { chmodSync, lstatSync, mkdtempSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../lib/error-code.ts';
import { type GuardRecord, type Move, readRecord, writeRecord } from './guard-record.ts';
import { findGuards, type Guard, type GuardedFolder, stateOfGuard, topmost } from './guards.ts';

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
