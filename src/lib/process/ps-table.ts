import { spawnSync } from 'node:child_process';
import type { ProcessRow, ProcessTable } from './process-table.ts';
import { programNames } from './program-names.ts';

/** How `ps` is asked for environments: a word of BSD here, an option of macOS there. */
export type EnvironmentFlags = 'axeww' | '-AEww';

const columns = 'pid=,ppid=,pgid=,stat=,lstart=';

/** Systems without `/proc` (macOS). A call costs a process, so it is for rare moments only. */
export function psTable(flags: EnvironmentFlags, path = '/bin:/usr/bin:/sbin:/usr/sbin'): ProcessTable {
  const run = (program: string, args: readonly string[]): string => output(program, args, path);
  return {
    bootId: run('sysctl', ['-n', 'kern.bootsessionuuid']).trim() || 'unknown',
    one: (pid) => parseRow(run('ps', ['-o', columns, '-p', String(pid === 'self' ? process.pid : pid)])),
    all: () =>
      run('ps', ['-A', '-o', columns])
        .split('\n')
        .map(parseRow)
        .filter((row) => row !== null),
    withVariable: (name, accepts) =>
      run('ps', [flags, '-o', 'pid=,command='])
        .split('\n')
        .filter((line) => valuesOf(line, name).some(accepts))
        .map((line) => Number.parseInt(line, 10)),
    variable: (pid, name) =>
      valuesOf(
        run('ps', [flags === 'axeww' ? 'eww' : '-Eww', '-o', 'command=', '-p', String(pid)]),
        name,
      )[0] ?? null,
    programs: (pid) => {
      const [comm = '', args = ''] = ['comm=', 'args='].map((column) =>
        run('ps', ['-ww', '-o', column, '-p', String(pid)]).trim(),
      );
      return programNames([comm], args.split(/\s+/));
    },
    groups: () => [],
  };
}

export function parseRow(line: string): ProcessRow | null {
  const [pid, parent, leader, stat, ...started] = line.trim().split(/\s+/);
  if (stat === undefined) return null;
  return {
    pid: Number(pid),
    parent: Number(parent),
    leader: Number(leader),
    state: stat.slice(0, 1),
    startTime: started.join('_'),
  };
}

/** `ps` joins variables with blanks, so a value ends at the first one; the ids that are looked for have none. */
function valuesOf(line: string, name: string): readonly string[] {
  const prefix = `${name}=`;
  return line
    .split(/\s+/)
    .filter((word) => word.startsWith(prefix))
    .map((word) => word.slice(prefix.length));
}

/** Start times are text of the locale and time zone; the launcher's own shell asks in the same ones. */
function output(program: string, args: readonly string[], path: string): string {
  const env = { PATH: path, LC_ALL: 'C', TZ: 'UTC' };
  return spawnSync(program, args, { encoding: 'utf8', env, maxBuffer: 64 * 1024 * 1024 }).stdout ?? '';
}
