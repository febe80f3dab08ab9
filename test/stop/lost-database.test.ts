import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../e2e/project.ts';
import { mountingMissing } from '../faults/small-disk.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { BrokenProject } from './broken-project.ts';

const missing = mountingMissing();

for (const [subject, words] of [
  ['run', ['stop', 'r']],
  ['run', ['stop']],
  ['plan', ['stop', '--all']],
  ['session', ['session', 'kill', 'ID', '--force']],
] as const) {
  test(`${words.join(' ')} ends the agents of a ${subject} whose database cannot be opened`, async (context) => {
    context.skip(missing !== null, missing ?? '');
    using folder = tempFolder();
    using project = new BrokenProject(realpathSync(folder.path), subject);
    await project.begin(subject === 'session' ? 'conductor' : 'foreground');
    await project.loseDatabase();
    expect(project.alive().length).toBeGreaterThan(0);
    const { code, stderr } = await project.tutti(...words.map((word) => (word === 'ID' ? project.id : word)));
    expect({ code, stderr }).toEqual({
      code: 69,
      stderr: expect.stringMatching(
        /^tutti: \d+ processes ended, but that is not recorded: .*file is not a database.*\n {2}→ .*tutti recover/,
      ) as string,
    });
    await until('every process is gone', () => project.alive().length === 0);
    expect(existsSync(join(project.path, '.tutti', 'wishes', `${project.id}.stop`))).toBe(true);

    // The next commands find the wish: nothing is launched, and the end is recorded.
    const launches = project.launches();
    const recovered = await project.tutti('recover');
    expect(recovered.code, recovered.stderr).toBe(0);
    expect((await project.tutti('stop', '--all')).code).toBe(0);
    expect(project.recorded()).toBe('ended INTERRUPTED');
    expect(project.launches()).toBe(launches);
  });
}
