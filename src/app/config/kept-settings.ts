import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder, replaceFile } from '../../lib/atomic-file.ts';
import { digestText } from '../../lib/digest.ts';
import { recorded } from '../../lib/json.ts';
import { packageFile } from '../../lib/package-files.ts';
import { readText } from '../../lib/read-text.ts';
import type { ProjectSettings } from '../../model/config.ts';
import { stateFolder } from '../state-folder.ts';
import { defaultSettings, projectFile, settingVariables, settingFiles } from './default-settings.ts';
import type { SettingsPlaces } from './default-settings.ts';

/*
 * Settings as they were last checked. A parser and a schema take longer to load than everything else that a command does
 * which only looks. Commands that work in the project keep them, in the person's state directory; those that look take them
 * while the files, the variables, the trust and the program are the same.
 */

const maxBytes = 1024 * 1024;

interface Kept {
  readonly digest: string;
  readonly settings: ProjectSettings;
}

/** Null: they must be read from the files. `mark` is that of the project. */
export function keptSettings(places: SettingsPlaces, mark: string): ProjectSettings | null {
  const text = readText(pathOf(places, mark), { maxBytes, links: 'refuse' });
  if (!text.ok) return null;
  const { digest, settings } = recordedOrNothing(text.value);
  return settings !== undefined && digest === digestOf(places) ? settings : null;
}

export function keepSettings(places: SettingsPlaces, mark: string, settings: ProjectSettings): void {
  const digest = digestOf(places);
  if (digest === null) return;
  const path = pathOf(places, mark);
  const kept: Kept = { digest, settings };
  try {
    makePrivateFolder(dirname(path));
    replaceFile(path, JSON.stringify(kept));
  } catch {
    // Then they are read from the files each time.
  }
}

/** Of everything that settings are made of; null where a file cannot be read. */
function digestOf(places: SettingsPlaces): string | null {
  const { projectDir, env, trust } = places;
  const texts: (string | null)[] = [];
  for (const file of settingFiles(places)) {
    const text = readText(file, { maxBytes, links: 'follow' });
    if (!text.ok && text.error.why !== 'absent') return null;
    texts.push(text.ok ? text.value : null);
  }
  const variables = Object.values(settingVariables).map((name) => env[name] ?? null);
  const program = readFileSync(packageFile('manifest'), 'utf8');
  const isTrusted = trust.counts(projectFile);
  return digestText(JSON.stringify([texts, variables, isTrusted, defaultSettings(projectDir), program]));
}

/** An editor or a full disk may have cut it off. */
function recordedOrNothing(text: string): Partial<Kept> {
  try {
    return recorded<Partial<Kept> | null>(JSON.parse(text)) ?? {};
  } catch {
    return {};
  }
}

function pathOf({ env }: SettingsPlaces, mark: string): string {
  return join(stateFolder(env), 'settings', `${mark}.json`);
}
