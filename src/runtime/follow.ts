import { setTimeout as pause } from 'node:timers/promises';
import { unreachable } from '../lib/unreachable.ts';
import { endProcesses } from '../lib/process/end-processes.ts';
import { familyFinder } from '../lib/process/family.ts';
import { isAlive, type ProcessIdentity } from '../lib/process/identity.ts';
import { declareLost, readEnd, readEnding, readStart } from './attempt-files.ts';
import { markerVariable } from './process-spec.ts';
import { endedSilently, type RecordedEnd } from './recorded-end.ts';
import { writeTerminal } from './session-state.ts';

const pollMs = 150;

/** From whatever state an attempt's directory is in to the one answer about it. */
export async function settle(
  dir: string,
  marker: string,
  began: () => void = () => undefined,
): Promise<RecordedEnd | 'lost'> {
  const end = await waitForEnd(dir, marker, began);
  writeTerminal(dir, end);
  return end;
}

async function waitForEnd(dir: string, marker: string, began: () => void): Promise<RecordedEnd | 'lost'> {
  let told = false;
  for (;;) {
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
          if (!told) began();
          told = true;
          await pause(pollMs);
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
  await endProcesses({ ...endingTimes, find: attemptFinder(marker, null), recorder: null });
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
  return familyFinder({ variable: markerVariable, accepts: (value) => value === marker, leader: launcher });
}

/** An agent may want to save its conversation; nobody waits longer than the limit for a stop. */
export const endingTimes = { graceMs: 3000, limitMs: 10_000 } as const;
