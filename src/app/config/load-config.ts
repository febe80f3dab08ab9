import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { undeclaredDrivers, withDefaultModels } from '../../drivers/cli-facts.ts';
import { defineDriver, knownClis } from '../../drivers/registry.ts';
import { findProgram } from '../../lib/find-program.ts';
import { isWithin } from '../../lib/path-below.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { type Config, noDriver } from '../../model/config.ts';
import type { ConfigLayer } from '../../model/schemas/config.ts';
import type { Problem } from '../../model/schemas/problem.ts';
import { realOf } from '../../workspace/trust-root.ts';
import { foreignRoot } from '../trust/path-entries.ts';
import type { ProjectTrust } from '../trust/project-trust.ts';
import { environmentLayer, type Settings, settingsLayer } from './settings.ts';
import { driverFiles, untrustedFile } from './driver-files.ts';
import { type FileLayer, fileLayer, projectLayer, readLayers } from './file-layer.ts';
import { lowerLayer, raisedMembers } from './lower-layer.ts';
import { unknownDriver } from './unknown-driver.ts';
import { byName, laySettings } from './load-settings.ts';
import { defaultSettings, projectFile, type SettingsPlaces, userConfigPath } from './default-settings.ts';

export interface ConfigPlaces extends SettingsPlaces {
  /** As typed on the command line. */
  readonly flags?: Settings;
  /** What of the project counts. */
  readonly trust: Pick<ProjectTrust, 'counts' | 'holds' | 'isKnown'>;
}

/** Where a setting comes from: a file by its path, or what else it is. */
export interface ConfigSource {
  readonly name: string;
  readonly layer: ConfigLayer;
}

/** Weakest first: what was configured and counts, by source; defaults are not among them. */
export function configSources(places: ConfigPlaces): Result<readonly ConfigSource[], readonly Problem[]> {
  const { env, home } = places;
  const files = fileLayers(places);
  if (!files.ok) return files;
  const environment = environmentLayer(env);
  if (!environment.ok) return environment;
  return ok([
    { name: userConfigPath(env, home), layer: files.value.user.layer },
    { name: projectFile, layer: files.value.project.layer },
    { name: 'environment', layer: environment.value },
  ]);
}

/** Strongest first: flags, TUTTI_* environment, what counts of the project's `tutti.yaml`, the user's file, defaults. */
export function loadConfig(places: ConfigPlaces): Result<Config, readonly Problem[]> {
  const { env, flags = {} } = places;
  const files = fileLayers(places);
  if (!files.ok) return files;
  const { user, project } = files.value;
  const environment = environmentLayer(env);
  if (!environment.ok) return environment;
  const typed = settingsLayer(flags);
  if (!typed.ok) return typed;
  const config = configOf(places, [user.layer, project.layer, environment.value, typed.value]);
  const wrong = unknownDriver(config, [project, user]);
  return wrong === null ? ok(config) : err([wrong]);
}

interface FileLayers {
  readonly user: FileLayer;
  /** What counts of it. */
  readonly project: FileLayer;
  /** Members of the project's file that do not count as it has them, because no person trusted it. */
  readonly raised: readonly string[];
}

/** The person's file and the project's, the latter as far as it counts. */
function fileLayers(places: ConfigPlaces): Result<FileLayers, readonly Problem[]> {
  const read = readLayers(places);
  if (!read.ok) return read;
  const { user, project } = read.value;
  if (places.trust.counts(projectFile)) return ok({ user, project, raised: [] });
  const asked = project.layer;
  const layer = lowerLayer(configOf(places, [user.layer]), asked);
  const raised = raisedMembers(asked, layer);
  return ok({ user, project: { ...project, layer }, raised });
}

/** What the project's file asks for beyond what the person's own configuration allows, and no person trusted. */
export function untrustedMembers(places: ConfigPlaces): readonly string[] {
  const files = fileLayers(places);
  return files.ok ? files.value.raised : [];
}

/** The configuration without any file or variable: what still has to work with a mistake in one of them uses it. */
export function defaultConfig(places: ConfigPlaces): Config {
  return configOf(places, []);
}

function configOf(places: ConfigPlaces, layers: readonly ConfigLayer[]): Config {
  const { projectDir, env, home } = places;
  const named = layers.some(({ driver }) => driver !== undefined);
  const chosen = named ? { driverFrom: 'named' as const } : unnamedDriver(places);
  const declared = new Set(layers.flatMap(({ drivers = {} }) => Object.keys(drivers)));
  const undeclared = Object.keys(undeclaredDrivers).filter((name) => !declared.has(name));
  const { drivers, ...rest } = laid([{ ...defaults(projectDir), ...chosen, undeclared }, ...layers]);
  const withheld = Object.keys(drivers).filter((name) => isWithheld(places, drivers, name));
  return { ...rest, withheld, drivers: mapped(drivers, (driver) => withDefaultModels(driver, env, home)) };
}

/** Whether a driver runs a program of a project that is not trusted, or obeys a file that is not trusted as it is now. */
function isWithheld(
  { projectDir, env, trust }: ConfigPlaces,
  drivers: Config['drivers'],
  name: string,
): boolean {
  const isOwn = (word: string, at: number): boolean => {
    if (at === 0 && leadsInto(foreignRoot(projectDir), programPath(word, projectDir, env['PATH'])))
      return true;
    const path = resolve(projectDir, word);
    // Without a slash the first word is left to PATH; a later one with an ending may be a script: `node agent.js`.
    const isPath = word.includes('/') || (at > 0 && /\.\w+$/.test(word));
    return isPath && isWithin(projectDir, path) && existsSync(path);
  };
  const driver = drivers[name];
  const commands = driver === undefined ? [] : (defineDriver(driver)?.commands ?? []);
  const runsOwn = !trust.isKnown && commands.some((words) => words.some(isOwn));
  return runsOwn || untrustedFile({ drivers }, name, projectDir, trust) !== null;
}

/** Files of the repository that drivers obey, as the person's file and the project's name them, trusted or not. */
export function namedFiles(places: ConfigPlaces): readonly string[] {
  const { projectDir, env, home, trust } = places;
  const files = [fileLayer(userConfigPath(env, home)), projectLayer(projectDir)];
  const drivers = files.flatMap((file) => (file.ok ? Object.values(file.value.layer.drivers ?? {}) : []));
  const named = drivers.flatMap((driver) => driverFiles(driver, projectDir));
  return [...new Set(named)].filter((file) => existsSync(file) && trust.holds(file));
}

/** Where the program of a driver is; null: nowhere. */
function programPath(word: string, projectDir: string, searchPath: string | undefined): string | null {
  return word.includes('/') ? resolve(projectDir, word) : findProgram(word, searchPath);
}

/** Whether a program is a file below the folder, links followed. */
function leadsInto(root: string | null, program: string | null): boolean {
  const real = program === null ? null : realOf(program);
  return root !== null && real !== null && isWithin(root, real);
}

/** A project that plays a cassette has one; any other uses the agent CLI that is installed. */
function unnamedDriver({ projectDir, env, trust }: ConfigPlaces): Pick<Config, 'driver' | 'driverFrom'> {
  const cassette = cassetteOf(projectDir);
  if (existsSync(cassette) && trust.counts(cassette)) return { driver: 'replay', driverFrom: 'cassette' };
  const found = knownClis.find(({ name }) => findProgram(name, env['PATH']) !== null);
  return { driver: found?.name ?? noDriver, driverFrom: 'path' };
}

function cassetteOf(projectDir: string): string {
  return join(projectDir, 'cassette.yaml');
}

function defaults(projectDir: string): Config {
  return {
    ...defaultSettings(projectDir),
    driver: 'replay',
    driverFrom: 'named',
    withheld: [],
    undeclared: [],
    drivers: { ...undeclaredDrivers, replay: { type: 'replay', cassette: cassetteOf(projectDir) } },
  };
}

/** Later layers win. Drivers are laid over each other by name. */
function laid([lowest, ...rest]: readonly [Config, ...ConfigLayer[]]): Config {
  return rest.reduce<Config>(
    (below, layer) => ({ ...laySettings(below, layer), drivers: byName(below.drivers, layer.drivers) }),
    lowest,
  );
}

function mapped<T>(from: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return byName(Object.fromEntries(Object.entries(from).map(([name, value]) => [name, change(value)])));
}
