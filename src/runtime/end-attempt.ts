import { errorCode } from '../lib/error-code.ts';
import { isMachineTrouble } from '../lib/machine-trouble.ts';
import type { EndReport } from '../lib/process/end-processes.ts';
import {
  announceEnding,
  declareLost,
  keepEnd,
  readEnd,
  readEnding,
  readStart,
  recordEnd,
  type Start,
} from './attempt-files.ts';
import { endAttempt } from './follow.ts';
import { removeSessionGroup } from './limits/group.ts';
import { endedSilently } from './recorded-end.ts';
import { hasState, writeTerminal } from './session-state.ts';
import { waitingEnd } from './waiting-end.ts';

/**
 * Ends an attempt with every process it started; `launch` or `adopt` then resolves with `ended: 'killed'`. What has
 * not started yet never will. What has already ended keeps the end it had.
 */
export async function end(dir: string, marker: string, reason: string): Promise<EndReport> {
  if (readEnd(dir) !== null) return { found: 0, left: [] };
  const waiting = waitingEnd(dir);
  // Nothing ends a program that has ended: only its launcher waits, to record that.
  if (waiting === null)
    ifPossible(() => {
      announceEnding(dir, 'killed', reason);
    });
  ifPossible(() => {
    declareLost(dir);
  });
  const start = readStart(dir);
  const launcher = start.kind === 'started' ? start.launcher : null;
  if (waiting !== null)
    ifPossible(() => {
      keepEnd(dir, waiting);
    });
  const report = await endAttempt(markerInPlace(start, marker), launcher, launcher);
  // With somebody left it has not ended, and must not be said to have.
  if (report.left.length === 0) {
    const ending = readEnding(dir);
    const recorded = readEnd(dir) ?? waiting ?? endedSilently(ending.ended ?? 'killed', ending.reason);
    ifPossible(() => {
      recordEnd(dir, recorded);
      writeTerminal(dir, recorded);
      if (hasState(dir)) removeSessionGroup(dir, marker);
    });
  }
  return report;
}

/** Ends the processes that an attempt left behind which has ended; it keeps the end it had. */
export async function endLeftBehind(dir: string, marker: string): Promise<EndReport> {
  const start = readStart(dir);
  const launcher = start.kind === 'started' ? start.launcher : null;
  // A launcher that is still there has something to tell.
  const report = await endAttempt(markerInPlace(start, marker), launcher, launcher);
  if (report.left.length === 0)
    ifPossible(() => {
      removeSessionGroup(dir, marker);
    });
  return report;
}

/**
 * The marker that the processes carry: that of an attempt in a project that was moved since begins with another project. Only
 * the same attempt counts, because an agent can write the file.
 */
function markerInPlace(start: Start, marker: string): string {
  const attemptOf = (mark: string): string => mark.slice(mark.indexOf(':') + 1);
  return start.kind === 'started' && attemptOf(start.marker) === attemptOf(marker) ? start.marker : marker;
}

/** The folder was removed or replaced by a file, or may not be written. */
const harmless: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM']);

/**
 * Signals need no disk: what cannot be written now is found out by the process that adopts the attempt. A folder that was
 * removed, or replaced by a file, is not made again.
 */
function ifPossible(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!isMachineTrouble(error) && !harmless.has(errorCode(error))) throw error;
  }
}
