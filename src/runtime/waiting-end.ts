import { setTimeout as pause } from 'node:timers/promises';
import { isAlive } from '../lib/process/identity.ts';
import type { ProcessTable } from '../lib/process/process-table.ts';
import { system } from '../lib/process/system.ts';
import { readEnding, readStart } from './attempt-files.ts';
import { endVariable } from './launch-script.ts';
import { parseEnd, type RecordedEnd } from './recorded-end.ts';

/**
 * How a program ended whose launcher cannot record it, as on a full disk. The launcher stays until it can, and tells the end
 * in its environment. Null: there is no such launcher.
 */
export function waitingEnd(dir: string, processes: ProcessTable = system()): RecordedEnd | null {
  const start = readStart(dir);
  if (start.kind !== 'started' || !isAlive(start.launcher, processes)) return null;
  const prefix = `${start.marker}|`;
  const told = processes.variable(start.launcher.pid, endVariable) ?? '';
  if (!told.startsWith(prefix)) return null;
  const [code, ended, problem] = told.slice(prefix.length).split('|');
  return parseEnd(`exit ${code} ? ${ended} ${problem} ${readEnding(dir).reason || '-'} .\n`);
}

/** Every look costs a process on some systems. */
export const lookEveryMs = 1000;

/** Resolves when a launcher waits to record the end, or when it is no longer asked for. */
export async function untilEndWaits(dir: string, { signal }: AbortController): Promise<null> {
  while (!signal.aborted && waitingEnd(dir) === null) {
    await pause(lookEveryMs, null, { signal, ref: false }).catch(() => null);
  }
  return null;
}
