import type { ProcessTable } from './process-table.ts';
import { system } from './system.ts';

/** The value of an environment variable in the nearest process above this one that has it; null if none has. */
export function ancestorVariable(
  name: string,
  pid: number = process.pid,
  table: ProcessTable = system(),
): string | null {
  const seen = new Set<number>();
  for (let row = table.one(pid); row !== null && row.parent > 0 && !seen.has(row.pid); ) {
    seen.add(row.pid);
    const value = table.variable(row.parent, name);
    if (value !== null) return value;
    row = table.one(row.parent);
  }
  return null;
}
