import { isAbsolute, join } from 'node:path';
import { digestText } from '../../lib/digest.ts';
import { noReservation } from '../../model/budget.ts';
import type { ProjectSettings } from '../../model/config.ts';
import { autoSandbox } from '../../model/sandbox.ts';
import type { ProjectTrust } from '../trust/project-trust.ts';

export interface SettingsPlaces {
  readonly projectDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** What of the project counts. */
  readonly trust: Pick<ProjectTrust, 'counts'>;
  /** Do without the project's file; absent: read it. */
  readonly ignoresProject?: boolean;
}

export const projectFile = 'tutti.yaml';

/** Variables that carry a setting. */
export const settingVariables = {
  driver: 'TUTTI_DRIVER',
  maxSessions: 'TUTTI_MAX_SESSIONS',
  sessionTimeout: 'TUTTI_SESSION_TIMEOUT',
  maxDepth: 'TUTTI_MAX_DEPTH',
} as const;

/** An XDG directory that is not absolute is to be ignored, says its standard. */
export function userConfigPath(env: SettingsPlaces['env'], home: string): string {
  const xdg = env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(xdg) ? xdg : join(home, '.config'), 'tutti', 'config.yaml');
}

/** The person's file and the project's. */
export function settingFiles({ projectDir, env, home }: SettingsPlaces): readonly [string, string] {
  return [userConfigPath(env, home), join(projectDir, projectFile)];
}

export function defaultSettings(projectDir: string): ProjectSettings {
  return {
    agents: {},
    env: [],
    secrets: [],
    maxSessions: 5,
    sessionTimeoutMs: 30 * 60_000,
    maxDepth: 5,
    eventsKeepMs: 30 * 86_400_000,
    limits: {
      memoryBytes: null,
      // Far above what a build needs, and low enough that a fork bomb leaves the machine usable.
      processes: 4096,
      cpuPercent: null,
      fileBytes: null,
      diskWarnBytes: 100 * 1024 ** 2,
      diskFailBytes: 500 * 1024 ** 2,
      stallMs: 10 * 60_000,
    },
    totalDiskWarnBytes: 1000 * 1024 ** 2,
    archiveKeepMs: 30 * 86_400_000,
    host: 'headless',
    // Two projects may have sessions of one name in the same second: each has a server of its own.
    tmux: { socket: `tutti-${digestText(projectDir).slice(0, 8)}`, prefix: 'iw' },
    sandbox: autoSandbox,
    workspace: { setup: null, testCommands: null, teardown: [], timeoutMs: 10 * 60_000, undeclared: 'ask' },
    prices: {},
    firstTurn: noReservation,
  };
}
