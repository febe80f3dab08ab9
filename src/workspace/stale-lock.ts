import { rmSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isWithin } from '../lib/path-below.ts';
import type { GitEnd } from './git.ts';

/** Git holds the lock of a ref for milliseconds; one older than this is of a git that was killed. */
const staleMs = 3_000;
const maxTries = 8;

/**
 * Calls git, and again when a lock file of its own is in the way: after its holder has gone on, or after the lock has
 * become so old that it has no holder. Only locks in `folder` are ever removed.
 */
export async function pastStaleLocks(folder: string, call: () => Promise<GitEnd>): Promise<GitEnd> {
  for (let tries = 1; ; tries += 1) {
    const end = await call();
    const path = /Unable to create '(.+\.lock)': File exists/.exec(end.stderr)?.[1];
    if (end.exitCode === 0 || path === undefined || tries === maxTries || !isWithin(folder, path)) return end;
    const facts = statSync(path, { throwIfNoEntry: false });
    const ageMs = facts === undefined ? 0 : Date.now() - facts.mtimeMs;
    if (ageMs > staleMs) rmSync(path, { force: true });
    else if (facts !== undefined) await wait(Math.min(500, staleMs - ageMs + 10));
  }
}
