import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { everythingCounts } from '../../../test/rig/trust.ts';
import type { SettingsPlaces } from './default-settings.ts';
import { keepSettings, keptSettings } from './kept-settings.ts';
import { loadSettings } from './load-settings.ts';
import { readSettings } from './read-settings.ts';

const mark = 'a-project';

/** A project whose settings were checked and kept. */
function kept(folder: string): SettingsPlaces {
  const places: SettingsPlaces = {
    projectDir: join(folder, 'project'),
    env: { HOME: folder },
    home: folder,
    trust: everythingCounts,
  };
  mkdirSync(places.projectDir);
  writeFileSync(join(places.projectDir, 'tutti.yaml'), 'max_sessions: 7\nsecrets: [QUIET]\n');
  const settings = loadSettings(places);
  if (!settings.ok) throw new Error('the settings of the test are wrong');
  keepSettings(places, mark, settings.value);
  return places;
}

test('kept settings are those of the files', () => {
  using folder = tempFolder();
  const places = kept(folder.path);
  expect(keptSettings(places, mark)).toMatchObject({ maxSessions: 7, secrets: ['QUIET'] });
  expect({ ok: true, value: keptSettings(places, mark) }).toEqual(loadSettings(places));
  expect(keptSettings(places, 'another-project')).toBeNull();
});

test('they count no longer once a file, a variable or the trust has changed', () => {
  using folder = tempFolder();
  const places = kept(folder.path);
  expect(keptSettings({ ...places, env: { ...places.env, TUTTI_MAX_SESSIONS: '3' } }, mark)).toBeNull();
  expect(keptSettings({ ...places, trust: { counts: () => false } }, mark)).toBeNull();
  const user = join(folder.path, '.config', 'tutti');
  mkdirSync(user, { recursive: true });
  writeFileSync(join(user, 'config.yaml'), '');
  expect(keptSettings(places, mark)).toBeNull();
});

test('a mistake made afterwards is found, and so is one in the kept file', async () => {
  using folder = tempFolder();
  const places = kept(folder.path);
  const file = join(folder.path, '.local/state/tutti/settings', `${mark}.json`);
  for (const content of ['', 'null', '{"digest":', '{"digest":"x","settings":{"maxSessions":99}}']) {
    writeFileSync(file, content);
    expect(await readSettings(places, mark)).toMatchObject({ ok: true, value: { maxSessions: 7 } });
  }
  writeFileSync(join(places.projectDir, 'tutti.yaml'), 'max_sesions: 7\n');
  expect(await readSettings(places, mark)).toMatchObject({ ok: false });
});

test('where they cannot be kept or a file cannot be read, nothing is kept and nothing fails', () => {
  using folder = tempFolder();
  const places = kept(folder.path);
  const settings = keptSettings(places, mark);
  if (settings === null) throw new Error('nothing was kept');
  writeFileSync(join(folder.path, 'no-folder'), '');
  const elsewhere = { ...places, env: { XDG_STATE_HOME: join(folder.path, 'no-folder') } };
  keepSettings(elsewhere, mark, settings);
  expect(keptSettings(elsewhere, mark)).toBeNull();
  mkdirSync(join(folder.path, '.config', 'tutti', 'config.yaml'), { recursive: true });
  keepSettings(places, 'unreadable', settings);
  expect(keptSettings(places, 'unreadable')).toBeNull();
});
