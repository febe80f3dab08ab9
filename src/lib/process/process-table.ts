/** What the system says about one process, whatever system it is. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** Leader of its session (of its process group where the system does not tell the session). */
  readonly leader: number;
  /** One letter; `Z` and `X` are dead processes that nobody has collected yet, `T` is one that a signal suspended. */
  readonly state: string;
  /** Opaque: two processes that had the same pid differ in it. */
  readonly startTime: string;
}

/**
 * The only door to system facts about processes. What cannot be read is not there, except when the machine is in trouble:
 * that throws, because whoever takes a living process for a dead one starts it again.
 */
export interface ProcessTable {
  /** Never empty; `unknown` where the system does not tell. */
  readonly bootId: string;
  /** `self` is the calling process, also where it knows itself by another number (a namespace of its own). */
  one(pid: number | 'self'): ProcessRow | null;
  all(): readonly ProcessRow[];
  /** Processes that carry an environment variable with an accepted value. Those of other users may be unreadable. */
  withVariable(name: string, accepts: (value: string) => boolean): readonly number[];
  /** The value of that variable in one process; null where it has none or may not be read. */
  variable(pid: number, name: string): string | null;
  /** Names by which the program of a process goes: its file, what it calls itself, the script that it interprets. */
  programs(pid: number): readonly string[];
  /** Names of the control groups that a process is in, outer ones too; none where the system has no groups. */
  groups(pid: number): readonly string[];
}

export function isDead(row: ProcessRow): boolean {
  return row.state === 'Z' || row.state === 'X';
}

/** Everything below the given processes, themselves not included. */
export function descendantsOf(roots: Iterable<number>, rows: readonly ProcessRow[]): ReadonlySet<number> {
  const children = Map.groupBy(rows, (row) => row.parent);
  const found = new Set<number>();
  const open = [...roots];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const { pid: child } of children.get(pid) ?? []) {
      if (found.has(child)) continue;
      found.add(child);
      open.push(child);
    }
  }
  return found;
}

/** A table in which these processes live, whatever has become of them since they were seen alive. */
export function withAlive(
  table: ProcessTable,
  alive: readonly Pick<ProcessRow, 'pid' | 'startTime'>[],
): ProcessTable {
  const seen = new Map(alive.map(({ pid, startTime }) => [pid, startTime]));
  return {
    bootId: table.bootId,
    one: (pid) => {
      const row = table.one(pid);
      const startTime = pid === 'self' ? undefined : seen.get(pid);
      if (pid === 'self' || startTime === undefined) return row;
      const isIt = row !== null && !isDead(row) && row.startTime === startTime;
      return isIt ? row : { pid, parent: 0, leader: pid, state: 'S', startTime };
    },
    all: () => table.all(),
    withVariable: (name, accepts) => table.withVariable(name, accepts),
    variable: (pid, name) => table.variable(pid, name),
    programs: (pid) => table.programs(pid),
    groups: (pid) => table.groups(pid),
  };
}
