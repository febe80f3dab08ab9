import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setGroupFile } from './cgroup.ts';
import { hierarchies, type Place, placesOf } from './cgroup-places.ts';

/** Those who are in a group of an accepted name or below one, and the directories of these groups. */
export interface GroupMembers {
  readonly pids: readonly number[];
  readonly dirs: readonly string[];
}

/** Asked of the kernel, process by process: nobody needs to remember where a group was made. */
export function groupMembers(accepts: (name: string) => boolean, procRoot = '/proc'): GroupMembers {
  const known = hierarchies(procRoot);
  const pids: number[] = [];
  const dirs = new Set<string>();
  if (known.length === 0) return { pids, dirs: [] };
  for (const name of readdirSync(procRoot).filter((entry) => /^\d+$/.test(entry))) {
    const pid = Number(name);
    const groups = placesOf(pid, known, procRoot)
      .map((place) => groupAbove(place, accepts))
      .filter((group) => group !== null);
    if (groups.length > 0) pids.push(pid);
    for (const group of groups) dirs.add(group);
  }
  return { pids, dirs: [...dirs] };
}

/** Ends all members at once, however fast they start others. Not where we are members ourselves. */
export function killGroups(dirs: readonly string[], procRoot = '/proc'): void {
  const own = placesOf('self', hierarchies(procRoot), procRoot).map(({ dir }) => `${dir}/`);
  for (const dir of dirs.filter((each) => !own.some((mine) => mine.startsWith(`${each}/`)))) {
    // Version 1 cannot; there at least nobody new is started.
    if (!setGroupFile(dir, 'cgroup.kill', '1')) setGroupFile(dir, 'pids.max', '0');
  }
}

/** Moves a process that belongs to nobody's group out of those it was started in. */
export function leaveGroups(pid: number, accepts: (name: string) => boolean, procRoot = '/proc'): void {
  for (const place of placesOf(pid, hierarchies(procRoot), procRoot)) {
    const group = groupAbove(place, accepts);
    if (group !== null) setGroupFile(dirname(group), 'cgroup.procs', String(pid));
  }
}

/** The directory of the outermost accepted group that the place lies in. */
function groupAbove({ path, hierarchy, dir }: Place, accepts: (name: string) => boolean): string | null {
  const names = path.split('/');
  const at = names.findIndex(accepts);
  if (at < 0) return null;
  const group = join(dir, '../'.repeat(names.length - 1 - at), '.');
  return group.startsWith(`${hierarchy.mount}/`) ? group.replace(/\/$/, '') : null;
}
