import { hostname } from 'node:os';
import { isDead, type ProcessTable } from './process-table.ts';
import { system } from './system.ts';

/** Process ids are reused, so a process is its pid, when it started, and during which boot. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
  readonly bootId: string;
}

export interface CurrentProcess extends ProcessIdentity {
  readonly host: string;
}

/** Null when there is no such process now. */
export function identify(pid: number, table: ProcessTable = system()): ProcessIdentity | null {
  const row = table.one(pid);
  return row === null || isDead(row) ? null : { pid, startTime: row.startTime, bootId: table.bootId };
}

export function currentProcess(table: ProcessTable = system()): CurrentProcess {
  const { pid } = process;
  const startTime = table.one(pid)?.startTime ?? '';
  return { host: hostname(), pid, startTime, bootId: table.bootId };
}

/** Whether a signal suspended the process (SIGSTOP, Ctrl-Z): it lives, and does nothing until SIGCONT. */
export function isSuspended(process: ProcessIdentity, table: ProcessTable = system()): boolean {
  return isAlive(process, table) && table.one(process.pid)?.state === 'T';
}

/** A zombie answers `kill(pid, 0)` and has a `/proc` entry, and a reused pid is another process: neither is alive. */
export function isAlive(process: ProcessIdentity, table: ProcessTable = system()): boolean {
  if (process.bootId !== table.bootId) return false;
  const row = table.one(process.pid);
  return row !== null && !isDead(row) && row.startTime === process.startTime;
}
