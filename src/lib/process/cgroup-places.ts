import { readFileSync } from 'node:fs';

/** One tree of control groups, as it is mounted here. Version 2 has one tree, version 1 one for each set of controllers. */
export interface Hierarchy {
  readonly version: 1 | 2;
  /** Of version 1; version 2 tells them group by group. */
  readonly controllers: readonly string[];
  readonly mount: string;
  /** The group that the mount point shows. */
  readonly root: string;
}

/** A group in one hierarchy, and its directory. */
export interface Place {
  readonly hierarchy: Hierarchy;
  readonly path: string;
  readonly dir: string;
}

/** None where the system has no control groups. */
export function hierarchies(procRoot = '/proc'): readonly Hierarchy[] {
  return read(`${procRoot}/self/mountinfo`)
    .split('\n')
    .map(parseMount)
    .filter((hierarchy) => hierarchy !== null);
}

/** The groups that a process is in, one for each hierarchy that can be reached. */
export function placesOf(
  pid: number | 'self',
  known: readonly Hierarchy[],
  procRoot = '/proc',
): readonly Place[] {
  return read(`${procRoot}/${pid}/cgroup`)
    .split('\n')
    .map((line) => parseMembership(line, known))
    .filter((place) => place !== null);
}

/** `31 23 0:28 <root> <mount> rw - cgroup2 cgroup2 rw`, with any number of fields before the dash. */
function parseMount(line: string): Hierarchy | null {
  const [where = '', what = ''] = line.split(' - ');
  const [type, , options = ''] = what.split(' ');
  const [, , , root, mount] = where.split(' ').map(unescape);
  if ((type !== 'cgroup' && type !== 'cgroup2') || root === undefined || mount === undefined) return null;
  const version = type === 'cgroup2' ? 2 : 1;
  return { version, controllers: version === 2 ? [] : options.split(','), mount, root };
}

/** `8:pids:/path`, or `0::/path` for version 2. */
function parseMembership(line: string, known: readonly Hierarchy[]): Place | null {
  const [, names, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
  if (names === undefined || path === undefined) return null;
  const hierarchy = known.find(({ version, controllers }) =>
    names === '' ? version === 2 : names.split(',').every((name) => controllers.includes(name)),
  );
  const dir = hierarchy === undefined ? null : directoryOf(hierarchy, path);
  return hierarchy === undefined || dir === null ? null : { hierarchy, path, dir };
}

/** Null for a group that cannot be reached from the mount point: one above what a container is shown. */
function directoryOf({ mount, root }: Hierarchy, path: string): string | null {
  const above = root === '/' ? '' : root;
  if (path.split('/').includes('..') || path.includes('\n')) return null;
  if (path !== above && !path.startsWith(`${above}/`)) return null;
  const below = path.slice(above.length);
  return below === '/' || below === '' ? mount : `${mount}${below}`;
}

/** The kernel writes blanks in paths as `\040`. */
function unescape(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_all, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 8)),
  );
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
