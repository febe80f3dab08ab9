import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMachineTrouble, orTrouble } from '../machine-trouble.ts';
import type { ProcessRow, ProcessTable } from './process-table.ts';

/** Linux: `/proc`. */
export function procTable(root = '/proc'): ProcessTable {
  const one = (pid: number): ProcessRow | null => parseStat(read(join(root, String(pid), 'stat')));
  return {
    bootId: read(join(root, 'sys/kernel/random/boot_id')).trim() || 'unknown',
    one,
    all: () =>
      pids(root)
        .map(one)
        .filter((row) => row !== null),
    withVariable: (name, accepts) =>
      pids(root).filter((pid) => valuesOf(read(join(root, String(pid), 'environ')), name).some(accepts)),
    variable: (pid, name) => valuesOf(read(join(root, String(pid), 'environ')), name)[0] ?? null,
  };
}

/** The second field is the program's name in parentheses and may itself hold blanks, parentheses and newlines. */
export function parseStat(stat: string): ProcessRow | null {
  const nameEnd = stat.lastIndexOf(')');
  if (nameEnd < 0) return null;
  const fields = stat.slice(nameEnd + 2).split(' ');
  const [state, parent, , leader] = fields;
  const startTime = fields[19];
  if (state === undefined || startTime === undefined) return null;
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(parent),
    leader: Number(leader),
    state,
    startTime,
  };
}

function valuesOf(environment: string, name: string): readonly string[] {
  const prefix = `${name}=`;
  if (!environment.includes(prefix)) return [];
  return environment
    .split('\0')
    .filter((variable) => variable.startsWith(prefix))
    .map((variable) => variable.slice(prefix.length));
}

function pids(root: string): readonly number[] {
  return readdirSync(root)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Empty for a process that ended meanwhile or belongs to somebody else; not for one we have no descriptor left to see. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMachineTrouble(error)) throw orTrouble(error, path);
    return '';
  }
}
