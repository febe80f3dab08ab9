import { lstatSync } from 'node:fs';
import { ok, type Result } from '../../lib/result.ts';
import type { ProjectSettings } from '../../model/config.ts';
import type { Problem } from '../../model/schemas/problem.ts';
import { defaultSettings, settingFiles, settingVariables, type SettingsPlaces } from './default-settings.ts';
import { keptSettings } from './kept-settings.ts';

/** The settings of a project, without those of its drivers. Parsers and schemas are loaded where something has changed. */
export async function readSettings(
  places: SettingsPlaces,
  mark: string,
): Promise<Result<ProjectSettings, readonly Problem[]>> {
  if (!isConfigured(places)) return ok(defaultSettings(places.projectDir));
  const kept = keptSettings(places, mark);
  if (kept !== null) return ok(kept);
  const { loadSettings } = await import('./load-settings.ts');
  return loadSettings(places);
}

/** Whether a file or a variable sets anything. */
export function isConfigured(places: SettingsPlaces): boolean {
  const isSet = Object.values(settingVariables).some((name) => (places.env[name] ?? '') !== '');
  return isSet || !settingFiles(places).every(isAbsent);
}

/** Whether nothing has this name. A path that cannot be looked at is left to the reader of the file, which says why. */
function isAbsent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
