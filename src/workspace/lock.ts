import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode } from '../lib/error-code.ts';
import { isObject } from '../lib/json.ts';
import { currentProcess, isAlive } from '../lib/process/identity.ts';

/** Older numbers than this many back are removed: somebody may be reading the folder meanwhile. */
const kept = 8;
const stepMs = 15;

/** Views and logs wait this long for a process that writes them: one that is suspended may hold the lock for days. */
export const viewPatienceMs = 5000;

export class LockHeld extends Error {
  constructor(path: string) {
    super(`another process holds ${path} and does not respond`);
  }
}

/** For a view that the next process writes. */
export function ignoreHeldLock(error: unknown): void {
  if (!(error instanceof LockHeld)) throw error;
}

/**
 * One at a time, over all processes. The lock is a row of numbered files `<path>.1`, `<path>.2`, …: the highest number
 * says who holds it. Taking it over from a holder that died means making the next number, which a link does for exactly
 * one; nothing is ever removed that could be somebody's. A holder that only sleeps is waited for, unless `patienceMs` says how
 * long: then `LockHeld` is thrown.
 */
export async function locked<T>(
  path: string,
  act: () => Promise<T>,
  patienceMs = Number.POSITIVE_INFINITY,
): Promise<T> {
  const before = queues.get(path) ?? Promise.resolve();
  const turn = before.then(() => held(path, act, patienceMs));
  const settled = turn.then(
    () => undefined,
    () => undefined,
  );
  queues.set(path, settled);
  try {
    return await turn;
  } finally {
    if (queues.get(path) === settled) queues.delete(path);
  }
}

/** Within this process: all holders of it look the same to the others. */
const queues = new Map<string, Promise<undefined>>();

async function held<T>(path: string, act: () => Promise<T>, patienceMs: number): Promise<T> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const { pid, startTime, bootId } = currentProcess();
  const own = `${path}.claim-${pid}`;
  rmSync(own, { force: true });
  writeFileSync(own, JSON.stringify({ pid, startTime, bootId }), { mode: 0o600 });
  let number = takeNext(path, own);
  for (const endAt = performance.now() + patienceMs; number === 0; number = takeNext(path, own)) {
    if (performance.now() >= endAt) {
      rmSync(own, { force: true });
      throw new LockHeld(path);
    }
    await wait(stepMs);
  }
  try {
    for (const old of numbersOf(path)) if (old <= number - kept) rmSync(`${path}.${old}`, { force: true });
    return await act();
  } finally {
    // A new file in place of the old one: what is left of the claim is another name of that.
    rmSync(own, { force: true });
    writeFileSync(own, '"free"', { mode: 0o600 });
    renameSync(own, `${path}.${number}`);
  }
}

/** The number that is ours now; 0 when somebody holds it. */
function takeNext(path: string, own: string): number {
  const highest = Math.max(0, ...numbersOf(path));
  if (highest > 0 && isHeld(`${path}.${highest}`)) return 0;
  const next = highest + 1;
  try {
    linkSync(own, `${path}.${next}`);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return 0;
    throw error;
  }
  // Whoever was slow may have made a number that others have long passed, and removed.
  if (Math.max(...numbersOf(path)) === next) return next;
  rmSync(`${path}.${next}`, { force: true });
  return 0;
}

function numbersOf(path: string): readonly number[] {
  const start = `${basename(path)}.`;
  return readdirSync(dirname(path)).flatMap((name) => {
    const number = name.startsWith(start) ? Number(name.slice(start.length)) : Number.NaN;
    return Number.isInteger(number) ? [number] : [];
  });
}

function isHeld(path: string): boolean {
  try {
    const holder: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isObject(holder)) return false;
    const { pid, startTime, bootId } = holder;
    if (typeof pid !== 'number' || typeof startTime !== 'string' || typeof bootId !== 'string') return false;
    return isAlive({ pid, startTime, bootId });
  } catch (error) {
    // Gone since the folder was read: somebody went on, so look again.
    if (errorCode(error) === 'ENOENT') return true;
    return false;
  }
}

/** Claims of processes that died while they waited. */
export function sweepClaims(folder: string): void {
  for (const name of entriesOf(folder)) {
    if (name.includes('.claim-') && !isHeld(join(folder, name))) rmSync(join(folder, name), { force: true });
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
