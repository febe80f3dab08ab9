import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { errorCode } from './error-code.ts';
import { isObject } from './json.ts';
import { pauseThread } from './pause.ts';
import { currentProcess, isAlive } from './process/identity.ts';

const patienceMs = 10_000;
const stepMs = 10;

/**
 * Runs something while no other process holds the lock of the same file. The lock names its holder, so that one whose holder
 * died is taken away; who holds it has a few milliseconds of work. Waits without giving way: within one process nothing
 * else runs meanwhile, so nobody waits for himself.
 */
export function withLock<T>(path: string, act: () => T): T {
  const own = `${path}.${process.pid}`;
  const { pid, startTime, bootId } = currentProcess();
  writeFileSync(own, JSON.stringify({ pid, startTime, bootId }), { mode: 0o600 });
  try {
    take(own, path);
    try {
      return act();
    } finally {
      rmSync(path, { force: true });
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** A link is made whole or not at all: a lock without a name in it does not exist. */
function take(own: string, path: string): void {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += stepMs) {
    try {
      linkSync(own, path);
      return;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    if (!removeDead(path, `${own}.old`)) pauseThread(stepMs);
  }
  throw new Error(`${path} is held by another process; remove it if no such process exists`);
}

/** Moved away first and looked at again: it may be another's by now, and then goes back. */
function removeDead(path: string, aside: string): boolean {
  if (!isDead(path)) return false;
  try {
    renameSync(path, aside);
    if (!isDead(aside)) linkSync(aside, path);
    rmSync(aside, { force: true });
    return true;
  } catch {
    return false;
  }
}

function isDead(path: string): boolean {
  try {
    const holder: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isObject(holder)) return isOld(path);
    const { pid, startTime, bootId } = holder;
    if (typeof pid !== 'number' || typeof startTime !== 'string' || typeof bootId !== 'string')
      return isOld(path);
    return !isAlive({ pid, startTime, bootId });
  } catch (error) {
    return errorCode(error) !== 'ENOENT' && isOld(path);
  }
}

/** Of a lock that nobody wrote who follows these rules. */
function isOld(path: string): boolean {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts !== undefined && Date.now() - facts.mtimeMs > patienceMs;
}
