import { formatBytes } from '../../lib/bytes.ts';
import { removeGroup, openGroup, type OpenedGroup } from '../../lib/process/cgroup.ts';
import type { ResourceLimits } from '../../model/limits.ts';
import { groupName, noLimits, openSessionGroup } from './group.ts';

/** By what a limit is held: the kernel's groups, a limit of each process, the launcher's own look, or nothing. */
type Enforcer = 'cgroup' | 'rlimit' | 'launcher' | 'none';

/** As `state.json` says it; null where no limit was asked for. */
interface AchievedLimits {
  readonly memory: Enforcer | null;
  readonly processes: Enforcer | null;
  readonly cpu: Enforcer | null;
  readonly file_size: Enforcer | null;
  readonly disk: Enforcer | null;
  /** How the processes are found that left their session, cleared their environment and lost their parents. */
  readonly tree: Extract<Enforcer, 'cgroup' | 'none'>;
}

/** What a launcher is told: plain values and whole sentences, so that a shell need not think. */
export interface LimitPlan {
  /** Directories of the session's control group, for the agent to be moved into. */
  readonly groups: readonly string[];
  readonly groupName: string;
  readonly fileBytes: number | null;
  readonly disk: DiskQuota | null;
  readonly stallMs: number | null;
  readonly achieved: AchievedLimits;
  /** What this system cannot hold it to; null when it can all that was asked for. */
  readonly lacking: string | null;
}

export interface DiskQuota {
  readonly warnBytes: number;
  readonly failBytes: number;
  readonly warning: string;
  readonly failure: string;
}

/** For an attempt that is a session. Makes its control group where the system offers one, whatever the limits. */
export function planLimits(dir: string, marker: string, limits: ResourceLimits | null): LimitPlan {
  const group = openSessionGroup(dir, marker, limits ?? noLimits);
  return {
    ...withoutGroup(limits),
    groups: group.dirs,
    groupName: groupName(marker),
    ...reached(limits, group),
  };
}

/** For what has no group of its own: only what the launcher does by itself. */
export function withoutGroup(limits: ResourceLimits | null): LimitPlan {
  return {
    groups: [],
    groupName: '-',
    fileBytes: limits?.fileBytes ?? null,
    disk: limits === null ? null : quotaOf(limits),
    stallMs: limits?.stallMs ?? null,
    ...reached(limits, { dirs: [], held: new Set() }),
  };
}

/** What this system would hold a session to, found out by trying. */
export function achievableLimits(limits: ResourceLimits): Pick<LimitPlan, 'achieved' | 'lacking'> {
  const group = openGroup(groupName(`probe-${process.pid}`), limits);
  for (const dir of group.dirs) removeGroup(dir);
  return reached(limits, group);
}

function reached(
  limits: ResourceLimits | null,
  { dirs, held }: OpenedGroup,
): Pick<LimitPlan, 'achieved' | 'lacking'> {
  const inGroup = (
    limit: number | null | undefined,
    what: 'memory' | 'processes' | 'cpu',
  ): Enforcer | null => {
    if (limit === null || limit === undefined) return null;
    return held.has(what) ? 'cgroup' : 'none';
  };
  const achieved: AchievedLimits = {
    memory: inGroup(limits?.memoryBytes, 'memory'),
    processes: inGroup(limits?.processes, 'processes'),
    cpu: inGroup(limits?.cpuPercent, 'cpu'),
    file_size: (limits?.fileBytes ?? null) === null ? null : 'rlimit',
    disk: limits === null ? null : 'launcher',
    tree: dirs.length > 0 ? 'cgroup' : 'none',
  };
  const missing = (['memory', 'processes', 'cpu'] as const).filter((what) => achieved[what] === 'none');
  return { achieved, lacking: missing.length === 0 ? null : lackingSentence(missing) };
}

function lackingSentence(missing: readonly string[]): string {
  const names = missing.join(' and ');
  const verb = missing.length === 1 ? 'is' : 'are';
  return `Limits: ${names} ${verb} not enforced, because no control group that Tutti may use offers it: see: tutti help limits`;
}

function quotaOf({ diskWarnBytes, diskFailBytes }: ResourceLimits): DiskQuota {
  const [warn, fail] = [formatBytes(diskWarnBytes), formatBytes(diskFailBytes)];
  return {
    warnBytes: diskWarnBytes,
    failBytes: diskFailBytes,
    warning: `Disk: the folder of the session holds more than ${warn}; above ${fail} the session is ended`,
    failure: `the folder of the session holds more than ${fail}`,
  };
}
