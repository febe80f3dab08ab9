import { setTimeout as pause } from 'node:timers/promises';
import { unreachable } from '../lib/unreachable.ts';
import { type EndReport, endProcesses } from '../lib/process/end-processes.ts';
import { familyFinder } from '../lib/process/process-family.ts';
import { isAlive, type ProcessIdentity } from '../lib/process/identity.ts';
import { declareLost, readEnd, readEnding, readStart } from './attempt-files.ts';
import { GroupSweep, isGroupOfAttempt, removeSessionGroup } from './limits/group.ts';
import { markerVariable } from './process-spec.ts';
import { endedSilently, type RecordedEnd } from './recorded-end.ts';
import { hasState, writeTerminal } from './session-state.ts';
import { lookEveryMs, waitingEnd } from './waiting-end.ts';

const pollMs = 150;
/** How long a launcher may take from the recorded end to its own. */
const tellingMs = 3000;
const tellingPollMs = 20;

export interface Following {
  /** Called when it runs, before its end. */
  readonly began?: (() => void) | undefined;
  /** Whether waiting for the end keeps this process alive; a process that hands the attempt over must be able to exit. */
  readonly keepsAwake?: boolean;
}

/** From whatever state an attempt's directory is in to the one answer about it. */
export async function settle(
  dir: string,
  marker: string,
  following: Following = {},
): Promise<RecordedEnd | 'lost'> {
  const end = await waitForEnd(dir, marker, following);
  // A launcher that waits to record the end tells it as well, when it can.
  if (hasState(dir) && waitingEnd(dir) === null) {
    await launcherGone(dir);
    // Cut off in the middle, it could not end its tools itself, and those have sessions of their own.
    if (end !== 'lost' && end.signal !== null) await endAttempt(marker, null, null);
    writeTerminal(dir, end);
    removeSessionGroup(dir, marker);
  }
  return end;
}

/** It records the end before it tells it: the process that follows it must not tell it as well. */
async function launcherGone(dir: string): Promise<void> {
  const start = readStart(dir);
  for (let waitedMs = 0; waitedMs < tellingMs; waitedMs += tellingPollMs) {
    if (start.kind !== 'started' || !isAlive(start.launcher)) return;
    await pause(tellingPollMs);
  }
}

async function waitForEnd(
  dir: string,
  marker: string,
  { began, keepsAwake = true }: Following,
): Promise<RecordedEnd | 'lost'> {
  let told = false;
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const end = readEnd(dir);
    if (end !== null) return end;
    const start = readStart(dir);
    switch (start.kind) {
      case 'absent':
        declareLost(dir);
        break;
      case 'lost':
        return readEnd(dir) ?? unrecorded(dir);
      case 'started':
        if (isAlive(start.launcher)) {
          const waiting = waitedMs % lookEveryMs < pollMs ? waitingEnd(dir) : null;
          if (waiting !== null) return waiting;
          if (!told) began?.();
          told = true;
          await pause(pollMs, undefined, { ref: keepsAwake });
        } else return readEnd(dir) ?? abandon(dir, marker);
        break;
      case 'unreadable':
        // Torn: the launcher died, or is, between creating the file and filling it. Its marker tells.
        if (attemptFinder(marker, null)().length > 0) await pause(pollMs);
        else return readEnd(dir) ?? unrecorded(dir);
        break;
      default:
        unreachable(start);
    }
  }
}

/** The launcher is gone without a word. What it started must not go on unseen beside the next attempt. */
async function abandon(dir: string, marker: string): Promise<RecordedEnd | 'lost'> {
  await endAttempt(marker, null, null);
  return unrecorded(dir);
}

/** Nobody recorded an end. Whoever ended it on purpose said so before acting, and may not have come further. */
function unrecorded(dir: string): RecordedEnd | 'lost' {
  const { ended, reason } = readEnding(dir);
  return ended === null ? 'lost' : endedSilently(ended, reason);
}

/** Everybody who belongs to an attempt. */
export function attemptFinder(
  marker: string,
  launcher: ProcessIdentity | null,
): () => readonly ProcessIdentity[] {
  return familyFinder({
    variable: markerVariable,
    accepts: (value) => value === marker,
    inGroup: isGroupOfAttempt(marker),
    leader: launcher,
  });
}

/** Ends everybody who belongs to an attempt; a recorder is left to record how. */
export async function endAttempt(
  marker: string,
  launcher: ProcessIdentity | null,
  recorder: ProcessIdentity | null,
): Promise<EndReport> {
  const find = attemptFinder(marker, launcher);
  const { kill: sweep } = new GroupSweep(isGroupOfAttempt(marker));
  return endProcesses({ ...endingTimes, find, recorder, sweep });
}

/** An agent may want to save its conversation; nobody waits longer than the limit for a stop. */
export const endingTimes = { graceMs: 3000, limitMs: 10_000 } as const;

/** For a person who waits no longer: no process is asked first. */
export const killingTimes = { graceMs: 0, limitMs: 3000 } as const;
