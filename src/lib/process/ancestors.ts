import type { ProcessTable } from './process-table.ts';
import { system } from './system.ts';

/** The values of an environment variable in the processes above this one, the nearest first. */
export function ancestorVariables(
  name: string,
  pid: number = process.pid,
  table: ProcessTable = system(),
): readonly string[] {
  const seen = new Set<number>();
  const values: string[] = [];
  for (let row = table.one(pid); row !== null && row.parent > 0 && !seen.has(row.pid); ) {
    seen.add(row.pid);
    const value = table.variable(row.parent, name);
    if (value !== null) values.push(value);
    row = table.one(row.parent);
  }
  return values;
}
