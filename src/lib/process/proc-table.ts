import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isMachineTrouble, orTrouble } from '../machine-trouble.ts';
import { pauseThread } from '../pause.ts';
import { isDead, type ProcessRow, type ProcessTable } from './process-table.ts';
import { programNames } from './program-names.ts';

/** Linux: `/proc`. */
export function procTable(root = '/proc'): ProcessTable {
  const one = (pid: number | 'self'): ProcessRow | null => parseStat(read(join(root, String(pid), 'stat')));
  return {
    bootId: read(join(root, 'sys/kernel/random/boot_id')).trim() || 'unknown',
    one,
    all: () =>
      pids(root)
        .map(one)
        .filter((row) => row !== null),
    withVariable: (name, accepts) =>
      pids(root).filter((pid) => valuesOf(environmentOf(root, pid), name).some(accepts)),
    variable: (pid, name) => valuesOf(environmentOf(root, pid), name)[0] ?? null,
    programs: (pid) => {
      const file = (name: string): string => join(root, String(pid), name);
      const [exe, comm] = [link(file('exe')), read(file('comm')).trim()];
      return programNames([exe, comm], read(file('cmdline')).split('\0'));
    },
    groups: (pid) => parseGroups(read(join(root, String(pid), 'cgroup'))),
  };
}

/** Lines of the form `8:pids:/outer/inner`. */
function parseGroups(text: string): readonly string[] {
  const paths = text.split('\n').map((line) => line.split(':').slice(2).join(':'));
  return [...new Set(paths.flatMap((path) => path.split('/')).filter((name) => name !== ''))];
}

/** Empty for a process of another user, whose program the system does not show. */
function link(path: string): string {
  try {
    return readlinkSync(path).replace(/ \(deleted\)$/, '');
  } catch {
    return '';
  }
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

const execLooks = 20;

/**
 * While a process replaces its program the system shows neither arguments nor environment, and whoever looked just then
 * would miss a member of the family. So an empty one is read again, until the new program is there.
 */
function environmentOf(root: string, pid: number): string {
  const file = (name: string): string => read(join(root, String(pid), name));
  for (let look = 0; look < execLooks; look += 1) {
    const hasArguments = look > 0 && file('cmdline') !== '';
    const environment = file('environ');
    if (environment !== '' || hasArguments) return environment;
    const row = parseStat(file('stat'));
    if (row === null || isDead(row) || isOfKernel(row)) return '';
    if (look > 0) pauseThread(1);
  }
  return '';
}

function isOfKernel({ pid, parent }: ProcessRow): boolean {
  const kernelThreads = 2;
  return parent === 0 || parent === kernelThreads || pid === kernelThreads;
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

/** Empty for a process that ended meanwhile or belongs to another user; not for one we have no descriptor left to see. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMachineTrouble(error)) throw orTrouble(error, path);
    return '';
  }
}
