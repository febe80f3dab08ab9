import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli } from '../cli/rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** A project below the person's home that calls the home a secret. */
async function lookAt(folder: string, trusts: boolean, ...words: readonly string[]): Promise<string> {
  const project = join(folder, 'project');
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'tutti.yaml'), 'secrets: [HOME]\n');
  const { out, err } = await cli({ folder: project, env: { HOME: folder }, stdin: '', trusts }, ...words);
  return out + err;
}

test.each([['config'], ['doctor'], ['trust', '--show']])(
  '%s hides no path because an untrusted repository calls HOME a secret',
  async (...words) => {
    using folder = tempFolder();
    const shown = await lookAt(folder.path, false, ...words);
    expect(shown).not.toContain('[redacted:');
    expect(shown).toContain(folder.path);
  },
);

test('an untrusted list of secrets is named among what does not count', async () => {
  using folder = tempFolder();
  expect(await lookAt(folder.path, false, 'doctor')).toContain(
    'is not trusted as it is: secrets do not count',
  );
});

test('control: the same list counts once a person trusted it', async () => {
  using folder = tempFolder();
  const shown = await lookAt(folder.path, true, 'config');
  expect(shown).toContain('[redacted:HOME]');
  expect(shown).not.toContain(folder.path);
});
