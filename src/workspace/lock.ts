import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode } from '../lib/error-code.ts';
import { isObject } from '../lib/json.ts';
import { MachineTrouble } from '../lib/machine-trouble.ts';
import { currentProcess, isAlive, isSuspended, type ProcessIdentity } from '../lib/process/identity.ts';
import { describeSilence, type SilentHolder } from '../model/silent-holder.ts';
import type { Target } from '../model/workspace.ts';

/** Older numbers than this many back are removed: somebody may be reading the folder meanwhile. */
const kept = 8;
const stepMs = 15;

/** Views and logs wait this long for a process that writes them: the next process writes them as well. */
export const viewPatienceMs = 5000;

/** A holder that is suspended may be so for days: it is seen to be so for this long, and then not waited for. */
const suspendedMs = 1000;
/** How long a wait is before the caller hears of it. */
const tellMs = 2000;

export interface LockOptions {
  /** What people call it; absent: its path. */
  readonly label?: string;
  /** Absent: as long as the holder works. */
  readonly patienceMs?: number;
  /** Called once, with a sentence that names the holder, when the wait takes longer. */
  readonly waits?: ((sentence: string) => void) | undefined;
}

/** The work is as it was: whoever waits for the lock begins again when its holder responds. */
export class LockHeld extends MachineTrouble {
  override readonly hint: string;

  constructor(label: string, holder: SilentHolder | null) {
    const who = holder === null ? 'another process' : `process ${holder.pid}`;
    const why = holder === null ? 'does not respond' : describeSilence(holder);
    super(label, `${who} holds ${label} and ${why}`);
    this.hint = holder === null ? 'try again' : `let it continue: kill -CONT ${holder.pid}; then try again`;
  }
}

/** For a view that the next process writes. */
export function ignoreHeldLock(error: unknown): void {
  if (!(error instanceof LockHeld)) throw error;
}

/** The locks of an owner, such as a plan. */
export function lockedFor<T>(
  { state, owner }: Pick<Target, 'state' | 'owner'>,
  name: string,
  act: () => Promise<T>,
  options: Pick<LockOptions, 'waits'> = {},
): Promise<T> {
  const label = `the ${name} lock of ${owner.kind} ${owner.name}`;
  return locked(join(state, 'locks', name), act, { ...options, label });
}

/**
 * One at a time, over all processes. The lock is a row of numbered files `<path>.1`, `<path>.2`, …: the highest number
 * says who holds it. Taking it over from a holder that died means making the next number, which a link does for exactly
 * one; nothing is ever removed that could be somebody's. A holder that works is waited for, `patienceMs` long if that is
 * given; `LockHeld` is thrown after that, and when the holder is suspended.
 */
export async function locked<T>(path: string, act: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const before = queues.get(path) ?? Promise.resolve();
  const turn = before.then(() => held(path, act, options));
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

async function held<T>(path: string, act: () => Promise<T>, options: LockOptions): Promise<T> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const { pid, startTime, bootId } = currentProcess();
  const own = `${path}.claim-${pid}`;
  rmSync(own, { force: true });
  writeFileSync(own, JSON.stringify({ pid, startTime, bootId }), { mode: 0o600 });
  let number = 0;
  try {
    number = await takeTurn(path, own, options);
    for (const old of numbersOf(path)) if (old <= number - kept) rmSync(`${path}.${old}`, { force: true });
    return await act();
  } finally {
    // A new file in place of the old one: what is left of the claim is another name of that.
    rmSync(own, { force: true });
    if (number > 0) {
      writeFileSync(own, '"free"', { mode: 0o600 });
      renameSync(own, `${path}.${number}`);
    }
  }
}

/** Waits for the number that is ours. */
async function takeTurn(
  path: string,
  own: string,
  { label = path, patienceMs = Number.POSITIVE_INFINITY, waits }: LockOptions,
): Promise<number> {
  const start = performance.now();
  let suspendedAt: number | null = null;
  let isTold = false;
  for (;;) {
    const next = takeNext(path, own);
    if (typeof next === 'number') return next;
    const { holder } = next;
    const now = performance.now();
    if (now - start >= patienceMs) throw new LockHeld(label, null);
    suspendedAt = holder !== null && isSuspended(holder) ? (suspendedAt ?? now) : null;
    if (holder !== null && suspendedAt !== null && now - suspendedAt >= suspendedMs)
      throw new LockHeld(label, { pid: holder.pid, known: 'suspended' });
    if (holder !== null && !isTold && now - start >= tellMs) {
      isTold = true;
      waits?.(`waiting for process ${holder.pid}, which holds ${label}`);
    }
    await wait(stepMs);
  }
}

/** The number that is ours now; or who holds it, null where that is not known just now. */
function takeNext(path: string, own: string): number | { readonly holder: ProcessIdentity | null } {
  const highest = Math.max(0, ...numbersOf(path));
  const holder = highest > 0 ? holderOf(`${path}.${highest}`) : 'none';
  if (holder !== 'none') return { holder: holder === 'changing' ? null : holder };
  const next = highest + 1;
  try {
    linkSync(own, `${path}.${next}`);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return { holder: null };
    throw error;
  }
  // Whoever was slow may have made a number that others have long passed, and removed.
  if (Math.max(...numbersOf(path)) === next) return next;
  rmSync(`${path}.${next}`, { force: true });
  return { holder: null };
}

function numbersOf(path: string): readonly number[] {
  const start = `${basename(path)}.`;
  return readdirSync(dirname(path)).flatMap((name) => {
    const number = name.startsWith(start) ? Number(name.slice(start.length)) : Number.NaN;
    return Number.isInteger(number) ? [number] : [];
  });
}

/** The living process that holds it; `changing`: it is gone since the folder was read, so look again. */
function holderOf(path: string): ProcessIdentity | 'none' | 'changing' {
  try {
    const holder: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isObject(holder)) return 'none';
    const { pid, startTime, bootId } = holder;
    if (typeof pid !== 'number' || typeof startTime !== 'string' || typeof bootId !== 'string') return 'none';
    const identity = { pid, startTime, bootId };
    return isAlive(identity) ? identity : 'none';
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? 'changing' : 'none';
  }
}

/** Claims of processes that died while they waited. */
export function sweepClaims(folder: string): void {
  for (const name of entriesOf(folder)) {
    if (name.includes('.claim-') && holderOf(join(folder, name)) === 'none')
      rmSync(join(folder, name), { force: true });
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
