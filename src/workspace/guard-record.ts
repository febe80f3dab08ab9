import { join, relative } from 'node:path';
import { replaceFile } from '../lib/atomic-file.ts';
import { isObject, parsed, recorded } from '../lib/json.ts';
import { isWithin } from '../lib/path-below.ts';
import { readText } from '../lib/read-text.ts';
import type { GuardedFolder } from './guards.ts';
import { factsOf } from './trust-root.ts';

/** What a sandboxed session found under guarded names, and what was done with those that came into being during it. */
export interface GuardRecord {
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

export function writeRecord(sessionDir: string, record: GuardRecord): void {
  replaceFile(guardRecord(sessionDir), JSON.stringify(record));
}

export function readRecord(sessionDir: string): GuardRecord | null {
  const text = readText(guardRecord(sessionDir), { maxBytes, links: 'refuse' });
  const value = text.ok ? parsed(text.value) : null;
  return isObject(value) ? recorded<GuardRecord>(value) : null;
}
