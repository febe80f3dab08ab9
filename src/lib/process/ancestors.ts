import type { ProcessRow, ProcessTable } from './process-table.ts';
import { system } from './system.ts';

/**
 * The calling process, those above it, and the leaders of their sessions, the nearest first. A leader is found even after
 * the processes between have died: leaving the parent alone does not hide where a process comes from.
 */
export function processesAbove(table: ProcessTable = system()): readonly ProcessRow[] {
  const found = new Map<number, ProcessRow>();
  const self = table.one('self');
  const open = self === null ? [] : [self];
  for (let row = open.shift(); row !== undefined; row = open.shift()) {
    if (found.has(row.pid)) continue;
    found.set(row.pid, row);
    for (const pid of [row.parent, row.leader]) {
      const next = pid > 0 && !found.has(pid) ? table.one(pid) : null;
      if (next !== null) open.push(next);
    }
  }
  return [...found.values()];
}
