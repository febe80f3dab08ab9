import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { knownClis, undeclaredDrivers, withDefaultModels } from '../../drivers/known-clis.ts';
import { digestText } from '../../lib/digest.ts';
import { findProgram } from '../../lib/find-program.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { type Config, noDriver } from '../../model/config.ts';
import type { ConfigLayer } from '../../model/schemas/config.ts';
import { autoSandbox } from '../../model/sandbox.ts';
import type { Problem } from '../../model/schemas/problem.ts';
import { environmentLayer, type Settings, settingsLayer } from './settings.ts';
import { fileLayer } from './file-layer.ts';
import { unknownDriver } from './known-drivers.ts';

export interface ConfigPlaces {
  readonly projectDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** As typed on the command line. */
  readonly flags?: Settings;
}

/** Where a setting comes from: a file by its path, or what else it is. */
export interface ConfigSource {
  readonly name: string;
  readonly layer: ConfigLayer;
}

/** Weakest first: what was configured, by source; defaults are not among them. */
export function configSources(places: ConfigPlaces): Result<readonly ConfigSource[], Problem> {
  const { projectDir, env, home } = places;
  const user = fileLayer(userConfigPath(env, home));
  if (!user.ok) return user;
  const project = fileLayer(join(projectDir, 'tutti.yaml'));
  if (!project.ok) return project;
  const environment = environmentLayer(env);
  if (!environment.ok) return environment;
  return ok([
    { name: userConfigPath(env, home), layer: user.value.layer },
    { name: 'tutti.yaml', layer: project.value.layer },
    { name: 'environment', layer: environment.value },
  ]);
}

/** Strongest first: flags, TUTTI_* environment, the project's `tutti.yaml`, the user's file, defaults. */
export function loadConfig(places: ConfigPlaces): Result<Config, Problem> {
  const { projectDir, env, home, flags = {} } = places;
  const user = fileLayer(userConfigPath(env, home));
  if (!user.ok) return user;
  const project = fileLayer(join(projectDir, 'tutti.yaml'));
  if (!project.ok) return project;
  const environment = environmentLayer(env);
  if (!environment.ok) return environment;
  const typed = settingsLayer(flags);
  if (!typed.ok) return typed;
  const layers = [user.value.layer, project.value.layer, environment.value, typed.value];
  const config = configOf(places, layers);
  const wrong = unknownDriver(config, [project.value, user.value]);
  return wrong === null ? ok(config) : err(wrong);
}

/** The configuration without any file or variable: what still has to work with a mistake in one of them uses it. */
export function defaultConfig(places: ConfigPlaces): Config {
  return configOf(places, []);
}

function configOf({ projectDir, env, home }: ConfigPlaces, layers: readonly ConfigLayer[]): Config {
  const named = layers.some(({ driver }) => driver !== undefined);
  const chosen = named ? { driverFrom: 'named' as const } : unnamedDriver(projectDir, env['PATH']);
  const declared = new Set(layers.flatMap(({ drivers = {} }) => Object.keys(drivers)));
  const undeclared = Object.keys(undeclaredDrivers).filter((name) => !declared.has(name));
  const { drivers, ...rest } = laid([{ ...defaults(projectDir), ...chosen, undeclared }, ...layers]);
  return { ...rest, drivers: mapped(drivers, (driver) => withDefaultModels(driver, env, home)) };
}

/** An XDG directory that is not absolute is to be ignored, says its standard. */
export function userConfigPath(env: ConfigPlaces['env'], home: string): string {
  const xdg = env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(xdg) ? xdg : join(home, '.config'), 'tutti', 'config.yaml');
}

/** A project that plays a cassette has one; any other uses the agent CLI that is installed. */
function unnamedDriver(
  projectDir: string,
  searchPath: string | undefined,
): Pick<Config, 'driver' | 'driverFrom'> {
  if (existsSync(cassetteOf(projectDir))) return { driver: 'replay', driverFrom: 'cassette' };
  const found = knownClis.find(({ name }) => findProgram(name, searchPath) !== null);
  return { driver: found?.name ?? noDriver, driverFrom: 'path' };
}

function cassetteOf(projectDir: string): string {
  return join(projectDir, 'cassette.yaml');
}

function defaults(projectDir: string): Config {
  return {
    driver: 'replay',
    driverFrom: 'named',
    undeclared: [],
    drivers: { ...undeclaredDrivers, replay: { type: 'replay', cassette: cassetteOf(projectDir) } },
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
  };
}

/** Later layers win. Drivers, agents and prices are laid over each other by name, lists are replaced. */
function laid([lowest, ...rest]: readonly [Config, ...ConfigLayer[]]): Config {
  return rest.reduce<Config>(
    (below, layer) => ({
      ...below,
      ...layer,
      drivers: byName(below.drivers, layer.drivers),
      agents: byName(below.agents, layer.agents),
      limits: { ...below.limits, ...layer.limits },
      tmux: { ...below.tmux, ...layer.tmux },
      workspace: { ...below.workspace, ...layer.workspace },
      prices: byName(below.prices, layer.prices),
    }),
    lowest,
  );
}

/** Without a prototype: nothing is found under a name that nobody gave, such as `constructor`. */
function byName<T>(
  below: Readonly<Record<string, T>>,
  above: Readonly<Record<string, T>> = {},
): Record<string, T> {
  const empty: Record<string, T> = Object.create(null);
  return Object.assign(empty, below, above);
}

function mapped<T>(from: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return byName(Object.fromEntries(Object.entries(from).map(([name, value]) => [name, change(value)])));
}
