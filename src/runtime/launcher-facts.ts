import { isAlive } from '../lib/process/identity.ts';
import type { ProcessTable } from '../lib/process/process-table.ts';
import type { LauncherFacts } from '../model/session-now.ts';
import {
  endRecordedAt,
  files,
  lastHeardAt,
  readEnd,
  readEnding,
  readStart,
  recordedAt,
  startRecordedAt,
} from './attempt-files.ts';
import { markerVariable } from './process-spec.ts';
import { endedSilently, type RecordedEnd } from './recorded-end.ts';
import { terminalStatus } from './session-state.ts';
import { waitingEnd } from './waiting-end.ts';

/**
 * What an attempt's place and the process table say of it, without waiting for anything and without changing anything. Whatever
 * became of its files and its launcher, it lives while a process carries its mark. `isLaunched`: false where no process can.
 */
export function launcherFacts(
  dir: string,
  marker: string,
  processes: ProcessTable,
  isLaunched = true,
): LauncherFacts {
  const end = readEnd(dir);
  if (end !== null) return ended(dir, end);
  const start = readStart(dir);
  if (start.kind === 'absent') {
    // Its folder may have been removed.
    return isLaunched && isMarked(marker, processes)
      ? { at: 'alive', pid: null, since: 0 }
      : { at: 'unborn' };
  }
  const since = recordedAt(dir, files.started) ?? 0;
  const waiting = waitingEnd(dir, processes);
  if (waiting !== null) return ended(dir, waiting);
  if (start.kind === 'started' && isAlive(start.launcher, processes))
    return { at: 'alive', pid: start.launcher.pid, since };
  // Torn: the launcher died, or is, between creating the file and filling it. Its marker tells.
  if (start.kind === 'unreadable' && isMarked(marker, processes)) return { at: 'alive', pid: null, since };
  // Its last word may have come between the two looks.
  const last = readEnd(dir);
  if (last !== null) return ended(dir, last);
  const { ended: how, reason } = readEnding(dir);
  if (how !== null) return ended(dir, endedSilently(how, reason));
  // Only its launcher is gone: what it started is found by its mark.
  if (isMarked(marker, processes)) return { at: 'alive', pid: null, since, isLeft: true };
  return { at: 'vanished', startedAt: startRecordedAt(dir), heardAt: lastHeardAt(dir) ?? 0 };
}

function ended(dir: string, end: RecordedEnd): LauncherFacts {
  const endedAt = endRecordedAt(dir) ?? lastHeardAt(dir) ?? 0;
  const startedAt = startRecordedAt(dir);
  return { at: 'ended', status: terminalStatus(end), exitCode: end.exitCode, startedAt, endedAt };
}

function isMarked(marker: string, processes: ProcessTable): boolean {
  return processes.withVariable(markerVariable, (value) => value === marker).length > 0;
}
