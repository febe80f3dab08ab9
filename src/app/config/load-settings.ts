import { ok, type Result } from '../../lib/result.ts';
import type { ProjectSettings } from '../../model/config.ts';
import type { ConfigLayer } from '../../model/schemas/config.ts';
import type { Problem } from '../../model/schemas/problem.ts';
import { readLayers } from './file-layer.ts';
import { lowerSettings } from './lower-layer.ts';
import { defaultSettings, projectFile, type SettingsPlaces } from './default-settings.ts';
import { environmentLayer } from './settings.ts';

/** Strongest first: TUTTI_* environment, what counts of the project's `tutti.yaml`, the user's file, defaults. */
export function loadSettings(places: SettingsPlaces): Result<ProjectSettings, readonly Problem[]> {
  const { projectDir, env, trust } = places;
  const files = readLayers(places);
  if (!files.ok) return files;
  const environment = environmentLayer(env);
  if (!environment.ok) return environment;
  const below = laySettings(defaultSettings(projectDir), files.value.user.layer);
  const asked = files.value.project.layer;
  const counted = trust.counts(projectFile) ? asked : lowerSettings(below, asked);
  return ok([counted, environment.value].reduce<ProjectSettings>(laySettings, below));
}

/** The layer wins. Agents and prices are laid over each other by name, lists are replaced. */
export function laySettings<T extends ProjectSettings>(below: T, layer: ConfigLayer): T {
  return {
    ...below,
    ...layer,
    agents: byName(below.agents, layer.agents),
    limits: { ...below.limits, ...layer.limits },
    tmux: { ...below.tmux, ...layer.tmux },
    workspace: { ...below.workspace, ...layer.workspace },
    prices: byName(below.prices, layer.prices),
  };
}

/** Without a prototype: nothing is found under a name that nobody gave, such as `constructor`. */
export function byName<T>(
  below: Readonly<Record<string, T>>,
  above: Readonly<Record<string, T>> = {},
): Record<string, T> {
  const empty: Record<string, T> = Object.create(null);
  return Object.assign(empty, below, above);
}
