import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { write } from '../cli/project.ts';
import { cli, type CliEnd } from '../cli/rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** A project with one run, whose state directory can be closed. */
async function begun() {
  const folder = tempFolder();
  write(folder.path, {
    'flow.yaml': 'steps:\n  - {id: a, command: ["true"]}\n',
    // The step opens what was closed, so that the gap is in the middle of its run.
    'opens.yaml':
      'steps:\n  - {id: a, command: [sh, -c, "rm .local/state/tutti/backups && mv backups-aside .local/state/tutti/backups"]}\n' +
      '  - {id: b, needs: [a], command: ["true"]}\n',
    'tutti.yaml': 'driver: replay\n',
  });
  const backups = join(folder.path, '.local', 'state', 'tutti', 'backups');
  const aside = join(folder.path, 'backups-aside');
  const tutti = (...args: readonly string[]): Promise<CliEnd> => cli({ folder: folder.path }, ...args);
  const run = async (id: string, flow = 'flow.yaml'): Promise<void> => {
    const end = await tutti('run', flow, '--run-id', id);
    expect(end.code, end.err).toBe(0);
  };
  await run('r1');
  return {
    tutti,
    run,
    close: () => {
      renameSync(backups, aside);
      writeFileSync(backups, 'not a folder');
    },
    open: () => {
      rmSync(backups);
      renameSync(aside, backups);
    },
    removeState: () => {
      rmSync(join(folder.path, '.tutti'), { recursive: true });
    },
    [Symbol.dispose]: () => {
      folder[Symbol.dispose]();
    },
  };
}

test('runs made after the state directory could not be written survive the removal of .tutti', async () => {
  using project = await begun();
  const { tutti, run } = project;
  project.close();
  await run('r2');
  project.open();
  expect((await tutti('doctor')).out).toMatch(
    /◐ database +.*tutti\.db; its second copy in .*backups\S* lacks \d+ changes\n +→ copy all of it: tutti recover\n/,
  );
  await run('r3');
  expect((await tutti('doctor')).out).toMatch(/✔ database +.*tutti\.db; last copy/);
  await run('r4');
  project.removeState();
  const recovered = await tutti('recover');
  expect(recovered.out).toContain('restored 4 runs');
  expect(recovered).toMatchObject({ code: 0, err: '' });
});

test('a run during which the state directory became writable again survives the removal of .tutti', async () => {
  using project = await begun();
  const { tutti, run } = project;
  project.close();
  await run('r2', 'opens.yaml');
  project.removeState();
  expect(await tutti('recover')).toMatchObject({
    code: 0,
    out: expect.stringContaining('restored 2 runs') as string,
  });
  expect((await tutti('status', 'r2')).out).toContain('SUCCESS');
});

test('recover copies a database whose second copy lacks changes', async () => {
  using project = await begun();
  const { tutti, run } = project;
  project.close();
  await run('r2');
  expect((await tutti('doctor')).out).toContain('lacks');
  expect((await tutti('recover')).out).toMatch(/in order.*\n  its second copy lacks \d+ changes and cannot/);
  project.open();
  expect((await tutti('recover')).out).toMatch(
    /^the database is in order: 2 runs and 0 sessions\n  its second copy lacked \d+ changes; all of it was copied again\n/,
  );
  const again = JSON.parse((await tutti('recover', '--json')).out) as Record<string, unknown>;
  expect(again['second_copy']).toEqual({ lacked: 0, complete: true });
  expect((await tutti('doctor')).out).not.toContain('lacks');
});
