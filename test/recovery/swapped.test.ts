import { copyFileSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli } from '../cli/rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const flow = JSON.stringify({ steps: [{ id: 'a', command: ['true'] }] });
const another = 'is of another project: it is not the one that was used here before';

/** Two projects of one person that have a run of the same id. */
async function twoProjects(place: string) {
  const env = { HOME: join(place, 'home') };
  mkdirSync(env.HOME);
  const at = (name: string) => {
    const folder = join(place, name);
    const tutti = (...args: readonly string[]) => cli({ folder, env, stdin: '' }, ...args);
    return { folder, tutti, database: join(folder, '.tutti/tutti.db') };
  };
  const [one, other] = [at('one'), at('other')];
  for (const { folder } of [one, other]) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'flow.yaml'), flow);
  }
  for (const id of ['r1', 'r2']) expect((await other.tutti('run', 'flow.yaml', '--run-id', id)).code).toBe(0);
  expect((await one.tutti('run', 'flow.yaml', '--run-id', 'r1')).code).toBe(0);
  return { at, one, other, backups: join(env.HOME, '.local/state/tutti/backups') };
}

function put(from: string, to: string): void {
  for (const end of ['-wal', '-shm']) rmSync(`${to}${end}`, { force: true });
  copyFileSync(from, to);
}

test('the database of another project is refused by every command, whatever runs both have', async () => {
  using folder = tempFolder();
  const { one, other } = await twoProjects(realpathSync(folder.path));
  put(other.database, one.database);
  for (const words of [['runs'], ['status', 'r1'], ['resume', 'r1'], ['run', 'flow.yaml'], ['doctor']]) {
    const { code, out, err } = await one.tutti(...words);
    expect({ words, code }).toEqual({ words, code: 69 });
    expect(out + err).toContain(another);
  }
  const recovered = await one.tutti('recover');
  expect(recovered.code).toBe(0);
  const { out } = await one.tutti('runs', '--json');
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([expect.objectContaining({ run_id: 'r1', outcome: 'SUCCESS' })]);
  expect((await one.tutti('recover')).out).toContain('in order');
});

test('with nothing kept of it, a project gets a new database and is used with that', async () => {
  using folder = tempFolder();
  const { one, other, backups } = await twoProjects(realpathSync(folder.path));
  put(other.database, one.database);
  rmSync(backups, { recursive: true });
  // Its run cannot be made again, which is said.
  expect((await one.tutti('recover')).code).toBe(12);
  expect((await one.tutti('runs')).out).not.toContain('r2');
  expect((await one.tutti('run', 'flow.yaml', '--run-id', 'r3')).code).toBe(0);
  expect((await one.tutti('status', 'r3')).code).toBe(0);
});

test('a database that is lost with no run beside it is refused until it is restored, and a project that was moved is used', async () => {
  using folder = tempFolder();
  const { at, one, other } = await twoProjects(realpathSync(folder.path));
  for (const name of ['tutti.db', 'tutti.db-wal', 'tutti.db-shm', 'runs', 'sessions'])
    rmSync(join(one.folder, '.tutti', name), { recursive: true, force: true });
  expect((await one.tutti('run', 'flow.yaml', '--run-id', 'new')).code).toBe(69);
  expect((await one.tutti('recover')).code).toBe(0);
  expect((await one.tutti('run', 'flow.yaml', '--run-id', 'new')).code).toBe(0);
  renameSync(other.folder, join(folder.path, 'moved'));
  const moved = at('moved');
  expect((await moved.tutti('trust', '--state', '--yes')).code).toBe(0);
  expect((await moved.tutti('run', 'flow.yaml', '--run-id', 'r3')).code).toBe(0);
  expect((await moved.tutti('runs')).out).toContain('r2');
});

test.each([100, 4096, 131_072])(
  'a database of %i zeros is damaged: every command names recover',
  async (size) => {
    using folder = tempFolder();
    const { one } = await twoProjects(realpathSync(folder.path));
    writeFileSync(one.database, Buffer.alloc(size));
    for (const words of [['runs'], ['status', 'r1'], ['resume', 'r1'], ['run', 'flow.yaml'], ['doctor']]) {
      const { code, out, err } = await one.tutti(...words);
      expect({ words, code }).toEqual({ words, code: 69 });
      expect(out + err).toMatch(/tutti\.db: file is not a database\n.*→ restore it: tutti recover\n/);
    }
    expect((await one.tutti('recover')).code).toBe(0);
    expect((await one.tutti('status', 'r1')).code).toBe(0);
  },
);
