import { groupMembers } from './cgroup-members.ts';
import { isAlive, type ProcessIdentity } from './identity.ts';
import { descendantsOf, isDead, type ProcessRow, type ProcessTable } from './process-table.ts';
import { system } from './system.ts';

export interface FamilyMark {
  /** Environment variable that every member inherits. */
  readonly variable: string;
  readonly accepts: (value: string) => boolean;
  /** Names of control groups whose members belong to it. */
  readonly inGroup?: (name: string) => boolean;
  /** Started the family as the leader of a session of its own. */
  readonly leader: ProcessIdentity | null;
}

/**
 * Finds a family of processes again and again. Each way to belong catches what escapes the others: the mark stays
 * on those that leave the session, the session and parents hold those that cleared their environment, the control group
 * holds those that did both, and whoever was seen once is remembered after its parent died. The finder itself is never
 * a member.
 */
export function familyFinder(
  mark: FamilyMark,
  table: ProcessTable = system(),
): () => readonly ProcessIdentity[] {
  let known: readonly ProcessIdentity[] = [];
  return () => {
    const seen = table.all().filter((row) => !isDead(row));
    const roots = new Set(table.withVariable(mark.variable, mark.accepts));
    for (const pid of mark.inGroup === undefined ? [] : groupMembers(mark.inGroup).pids) roots.add(pid);
    for (const { pid } of known.filter((member) => isAlive(member, table))) roots.add(pid);
    if (mark.leader !== null && isAlive(mark.leader, table)) {
      // Only while it lives: the number of a dead leader may lead somebody else's session by now.
      const { pid } = mark.leader;
      roots.add(pid);
      for (const row of seen) if (row.leader === pid) roots.add(row.pid);
    }
    const rows = [...seen, ...startedSince(roots, seen, table)];
    const below = descendantsOf(roots, rows);
    known = rows
      .filter(({ pid }) => pid !== process.pid && (roots.has(pid) || below.has(pid)))
      .map(({ pid, startTime }) => ({ pid, startTime, bootId: table.bootId }));
    return known;
  };
}

/** Those of the roots that were started after the processes were listed. */
function startedSince(
  roots: ReadonlySet<number>,
  seen: readonly ProcessRow[],
  table: ProcessTable,
): readonly ProcessRow[] {
  const known = new Set(seen.map(({ pid }) => pid));
  return [...roots].flatMap((pid) => {
    const row = known.has(pid) ? null : table.one(pid);
    return row === null || isDead(row) ? [] : [row];
  });
}
