import { canonical, plain } from '../../lib/json.ts';
import type { Config, ProjectSettings, WorkspaceConfig } from '../../model/config.ts';
import type { ResourceLimits } from '../../model/limits.ts';
import { type SandboxConfig, sandboxModes } from '../../model/sandbox.ts';
import type { ConfigLayer } from '../../model/schemas/config.ts';
import { present } from '../../model/schemas/basic-shapes.ts';

/** A decision for every member: one that is added to the configuration does not compile without its own. */
type Decided<T> = { readonly [Name in keyof Required<T>]: T[Name] | undefined };

/**
 * What counts of the configuration of a project that no person trusted: it may lower what the person's own allows and never
 * raise it. Programs, permissions, variables, secrets, commands, prices and how long things are kept are the person's alone.
 */
export function lowerLayer(below: Config, asked: ConfigLayer): ConfigLayer {
  const lowered = lowerSettings(below, asked);
  return asked.driver === below.driver ? { ...lowered, driver: asked.driver } : lowered;
}

/** The same without the choice of a driver. */
export function lowerSettings(below: ProjectSettings, asked: ConfigLayer): ConfigLayer {
  const decided: Decided<ConfigLayer> = {
    driver: undefined,
    driverFrom: undefined,
    drivers: undefined,
    withheld: undefined,
    undeclared: undefined,
    agents: undefined,
    env: undefined,
    // More secrets hide more of what the person reads: `secrets: [HOME]` would take every path out of it.
    secrets: undefined,
    maxSessions: least(below.maxSessions, asked.maxSessions),
    sessionTimeoutMs: least(below.sessionTimeoutMs, asked.sessionTimeoutMs),
    maxDepth: least(below.maxDepth, asked.maxDepth),
    eventsKeepMs: undefined,
    archiveKeepMs: undefined,
    limits: asked.limits && lowerLimits(below.limits, asked.limits),
    totalDiskWarnBytes: least(below.totalDiskWarnBytes, asked.totalDiskWarnBytes),
    host: undefined,
    tmux: undefined,
    sandbox: asked.sandbox && stricterSandbox(below.sandbox, asked.sandbox),
    workspace: asked.workspace && lowerWorkspace(below.workspace, asked.workspace),
    prices: undefined,
    // A reservation holds launches back, so a higher one lowers what is allowed; it is left to the person all the same.
    firstTurn: undefined,
  };
  return present(decided);
}

function lowerLimits(below: ResourceLimits, asked: Partial<ResourceLimits>): Partial<ResourceLimits> {
  const decided: Decided<Partial<ResourceLimits>> = {
    memoryBytes: least(below.memoryBytes, asked.memoryBytes),
    processes: least(below.processes, asked.processes),
    cpuPercent: least(below.cpuPercent, asked.cpuPercent),
    fileBytes: least(below.fileBytes, asked.fileBytes),
    diskWarnBytes: least(below.diskWarnBytes, asked.diskWarnBytes),
    diskFailBytes: least(below.diskFailBytes, asked.diskFailBytes),
    stallMs: least(below.stallMs, asked.stallMs),
  };
  return present(decided);
}

function lowerWorkspace(below: WorkspaceConfig, asked: Partial<WorkspaceConfig>): Partial<WorkspaceConfig> {
  const decided: Decided<Partial<WorkspaceConfig>> = {
    setup: undefined,
    teardown: undefined,
    testCommands: undefined,
    timeoutMs: least(below.timeoutMs, asked.timeoutMs),
    undeclared: undefined,
  };
  return present(decided);
}

/** Null is no limit. */
function least<T extends number | null>(below: T, asked: T | undefined): T | undefined {
  if (asked === undefined || asked === null) return undefined;
  return below === null || asked < below ? asked : undefined;
}

/** From the weakest to the strongest. */
const strength: readonly SandboxConfig['mode'][] = ['off', ...sandboxModes.filter((mode) => mode !== 'off')];

function stricterSandbox(below: SandboxConfig, asked: SandboxConfig): SandboxConfig | undefined {
  if (strength.indexOf(asked.mode) <= strength.indexOf(below.mode)) return undefined;
  return {
    mode: asked.mode,
    write: asked.write.filter((path) => below.write.includes(path)),
    domains: asked.domains.filter((host) => below.domains.includes(host)),
  };
}

/** Members of the file that do not count as the project wrote them, such as `drivers` or `workspace.setup`. */
export function raisedMembers(asked: ConfigLayer, lowered: ConfigLayer): readonly string[] {
  const { limits, workspace, ...rest } = asked;
  return [
    ...differences(rest, lowered, memberNames),
    ...differences(limits ?? {}, lowered.limits ?? {}, limitNames),
    ...differences(workspace ?? {}, lowered.workspace ?? {}, workspaceNames),
  ];
}

/** What files call the members that they name otherwise. */
const memberNames: Partial<Record<keyof ConfigLayer, string>> = {
  maxSessions: 'max_sessions',
  sessionTimeoutMs: 'session_timeout',
  maxDepth: 'max_depth',
  eventsKeepMs: 'events_keep',
  archiveKeepMs: 'archive_keep',
  totalDiskWarnBytes: 'limits.total_disk_warn',
  firstTurn: 'first_turn',
};

const limitNames: Readonly<Record<keyof ResourceLimits, string>> = {
  memoryBytes: 'limits.memory',
  processes: 'limits.processes',
  cpuPercent: 'limits.cpu',
  fileBytes: 'limits.file_size',
  diskWarnBytes: 'limits.disk_warn',
  diskFailBytes: 'limits.disk_fail',
  stallMs: 'stall_after',
};

const workspaceNames: Readonly<Record<keyof WorkspaceConfig, string>> = {
  setup: 'workspace.setup',
  teardown: 'workspace.teardown',
  testCommands: 'workspace.test_commands',
  timeoutMs: 'workspace.timeout',
  undeclared: 'workspace.undeclared',
};

function differences(
  asked: object,
  counted: object,
  names: Readonly<Partial<Record<string, string>>>,
): readonly string[] {
  const lowered = new Map<string, unknown>(Object.entries(counted));
  return Object.entries(asked).flatMap(([name, value]: [string, unknown]) =>
    canonical(plain(value)) === canonical(plain(lowered.get(name) ?? null)) ? [] : [names[name] ?? name],
  );
}
