import { existsSync } from 'node:fs';
import type { ProcessTable } from './process-table.ts';
import { procTable } from './proc-table.ts';
import { psTable } from './ps-table.ts';

export function tableOf(procRoot: string, platform: NodeJS.Platform): ProcessTable {
  if (existsSync(`${procRoot}/self/stat`)) return procTable(procRoot);
  return psTable(platform === 'darwin' ? '-AEww' : 'axeww');
}

let known: ProcessTable | null = null;

/** Asked for at first use, because on some systems even that costs a process. */
export function system(): ProcessTable {
  known ??= tableOf('/proc', process.platform);
  return known;
}
