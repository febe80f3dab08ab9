import { err, ok, type Result } from '../../lib/result.ts';
import { configForm, type ConfigLayer, configLayerOf } from '../../model/schemas/config.ts';
import { check } from '../../model/schemas/issue.ts';
import { type Problem, problemOf } from '../../model/schemas/problem.ts';
import { settingVariables } from './default-settings.ts';

/** The settings that a variable or a flag can carry, as the texts they are typed as. */
export interface Settings {
  readonly driver?: string | undefined;
  readonly maxSessions?: string | undefined;
  readonly sessionTimeout?: string | undefined;
  readonly maxDepth?: string | undefined;
}

const members = {
  driver: { member: 'driver', variable: settingVariables.driver, flag: '--driver' },
  maxSessions: { member: 'max_sessions', variable: settingVariables.maxSessions, flag: '--max-sessions' },
  sessionTimeout: {
    member: 'session_timeout',
    variable: settingVariables.sessionTimeout,
    flag: '--session-timeout',
  },
  maxDepth: { member: 'max_depth', variable: settingVariables.maxDepth, flag: '--max-depth' },
} as const;

const names = ['driver', 'maxSessions', 'sessionTimeout', 'maxDepth'] as const;

export function settingsLayer(flags: Settings): Result<ConfigLayer, readonly Problem[]> {
  return layerOf(flags, 'flag');
}

/** A variable that is set to nothing is not set. */
export function environmentLayer(
  env: Readonly<Record<string, string | undefined>>,
): Result<ConfigLayer, readonly Problem[]> {
  const settings = names.map((name) => [name, env[members[name].variable] || undefined] as const);
  return layerOf(Object.fromEntries(settings), 'variable');
}

function layerOf(settings: Settings, source: 'variable' | 'flag'): Result<ConfigLayer, readonly Problem[]> {
  let layer: ConfigLayer = {};
  for (const name of names) {
    const value = settings[name];
    if (value === undefined) continue;
    const { member } = members[name];
    const counts = name === 'maxSessions' || name === 'maxDepth';
    const form = check(configForm, { [member]: counts ? countOf(value) : value });
    if (!form.ok) {
      const why = form.error.map(({ message }) => message).join(', ');
      return err([problemOf(null, `${members[name][source]} ${why}`)]);
    }
    layer = { ...layer, ...configLayerOf(form.value) };
  }
  return ok(layer);
}

function countOf(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}
