import { isSafeId } from '../lib/ids.ts';
import { groupMembers } from '../lib/process/cgroup-members.ts';
import { system } from '../lib/process/system.ts';
import { attemptFinder } from './follow.ts';
import { isGroupOfAttempt, isGroupOfRun, scopeOf, scopeOfGroup } from './limits/group.ts';
import { markerVariable } from './process-spec.ts';

/** Which attempts have living processes: the system is asked once, however many attempts are asked about. */
export function livingAttempts(): (marker: string) => boolean {
  const { marks, groups } = lookAtProcesses();
  return (marker) => marks.has(marker) || [...groups].some(isGroupOfAttempt(marker));
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

/** The ids of a project's runs that have a living process, by its mark. */
export function liveRuns(project: string): readonly string[] {
  const ids = new Set<string>();
  system().withVariable(markerVariable, (value) => {
    const id = runOfMark(project, value);
    if (id !== null) ids.add(id);
    return false;
  });
  return [...ids];
}

/** A mark is `<project>:<run>#<key>#<n>`. Null: it is of another project. */
export function runOfMark(project: string, mark: string): string | null {
  const run = mark.startsWith(`${project}:`) ? mark.slice(project.length + 1).split('#')[0] : undefined;
  return run !== undefined && isSafeId(run) ? run : null;
}

/** The run of a project that a control group belongs to. Null: it is of another project, or none of Tutti. */
export function runOfGroup(project: string, name: string): string | null {
  const scope = scopeOfGroup(name);
  return scope === null ? null : runOfMark(project, scope);
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
