import { groupMembers } from '../lib/process/cgroup-members.ts';
import { system } from '../lib/process/system.ts';
import { attemptFinder } from './follow.ts';
import { groupName, isGroupOfRun, scopeOf } from './limits/group.ts';
import { markerVariable } from './process-spec.ts';

/** Which attempts have living processes: the system is asked once, however many attempts are asked about. */
export function livingAttempts(): (marker: string) => boolean {
  const { marks, groups } = lookAtProcesses();
  return (marker) => marks.has(marker) || groups.has(groupName(marker));
}

/** The same for runs of a project: processes of a run, and of runs inside it. */
export function livingRuns(project: string): (runId: string) => boolean {
  const { marks, groups } = lookAtProcesses();
  const scopes = new Set([...marks].map(scopeOf).filter((scope) => scope.startsWith(`${project}:`)));
  return (runId) => {
    const run = `${project}:${runId}`;
    const inGroup = isGroupOfRun(run);
    const isOfRun = (scope: string): boolean => scope === run || scope.startsWith(`${run}.`);
    return [...scopes].some(isOfRun) || [...groups].some(inGroup);
  };
}

/** The living processes of an attempt, by number. */
export function attemptProcesses(marker: string): readonly number[] {
  return attemptFinder(marker, null)()
    .map(({ pid }) => pid)
    .toSorted((a, b) => a - b);
}

interface SeenProcesses {
  readonly marks: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
}

function lookAtProcesses(): SeenProcesses {
  const marks = new Set<string>();
  system().withVariable(markerVariable, (mark) => {
    marks.add(mark);
    return false;
  });
  // Those that cleared their environment are still in their group.
  const groups = new Set<string>();
  groupMembers((name) => {
    groups.add(name);
    return false;
  });
  return { marks, groups };
}
