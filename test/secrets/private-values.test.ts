import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Redactor } from '../../src/lib/redact.ts';
import { SqliteQueries } from '../../src/store/queries.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { VirtualClock } from '../rig/virtual-clock.ts';

const secret = 'a-secret-that-nobody-tells';
const redactor = new Redactor([{ name: 'MINE', value: secret }]);
const run = {
  id: 'r',
  workflow: 'flow',
  limits: { depth: 1 },
  concurrency: 1,
  depth: 0,
  traceId: 't',
  within: null,
};

function storeIn(folder: string): SqliteStore {
  const path = join(folder, 'tutti.db');
  return new SqliteStore({ path, clock: new VirtualClock(0), maxSessions: 1, isAlive: () => true, redactor });
}

test('what a run must get back as it was is whole, although the database does not hold it', async () => {
  using folder = tempFolder();
  const input = { prompt: `use ${secret}`, more: 'x'.repeat(5000) };
  {
    using store = storeIn(folder.path);
    await store.start({ ...run, input });
    await store.start({ ...run, id: 'again', input });
    expect(await new SqliteQueries(store.db).input('r')).toEqual(input);
  }
  expect(readFileSync(join(folder.path, 'tutti.db')).includes(secret)).toBe(false);
  const kept = readdirSync(join(folder.path, 'private'));
  expect(kept).toHaveLength(1);
  expect(statSync(join(folder.path, 'private', kept[0] ?? '')).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder.path, 'private')).mode & 0o777).toBe(0o700);
});

test('what holds no secret stays in the database, and there is no such folder', async () => {
  using folder = tempFolder();
  using store = storeIn(folder.path);
  await store.start({ ...run, input: { prompt: 'use your head' } });
  expect(readdirSync(folder.path)).not.toContain('private');
});

test('a value whose file was removed is missed in one sentence that names it', async () => {
  using folder = tempFolder();
  using store = storeIn(folder.path);
  await store.start({ ...run, input: secret });
  rmSync(join(folder.path, 'private'), { recursive: true });
  await expect(new SqliteQueries(store.db).input('r')).rejects.toThrow(
    /is kept in .*private\/[0-9a-f]{64}\.json, which cannot be read$/,
  );
});

test('an event loses its secrets and keeps the names that others find it by', async () => {
  using folder = tempFolder();
  using store = storeIn(folder.path);
  await store.note('r', {
    type: 'session.killed',
    session: secret,
    reason: `because of ${secret}`,
    by: 'ada',
  });
  expect((await new SqliteQueries(store.db).events('r', 0)).map(({ event }) => event)).toEqual([
    { type: 'session.killed', session: secret, reason: 'because of [redacted:MINE]', by: 'ada' },
  ]);
});
