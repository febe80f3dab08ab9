import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { setProbe } from '../../src/lib/probe.ts';
import type { Holder } from '../../src/model/holder.ts';
import { BackupFolder } from '../../src/store/backup-folder.ts';
import { lineageOf } from '../../src/store/change-log.ts';
import { openDatabase } from '../../src/store/database.ts';
import { StoreUnavailable } from '../../src/model/ports/store-unavailable.ts';
import { liveHolder } from '../../src/store/live-holder.ts';
import { migrations } from '../../src/store/migrations.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { holder, newRun } from '../rig/engine.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { VirtualClock } from '../rig/virtual-clock.ts';

afterEach(() => {
  setProbe(null);
});

const done = { at: 'done', outcome: 'SUCCESS', value: null } as const;

function storeAt(path: string, isAlive: (one: Holder) => boolean = () => true): SqliteStore {
  return new SqliteStore({ path, clock: new VirtualClock(), maxSessions: 8, isAlive });
}

async function claimed(store: SqliteStore) {
  await store.start(newRun('r', 'w'));
  await store.claim('r', { me: holder(1), monotonic: 0, gone: [] }, 30_000);
  return { runId: 'r', epoch: 1 };
}

function commits(): { count: number } {
  const seen = { count: 0 };
  setProbe((point) => {
    if (point === 'commit:after') seen.count += 1;
  });
  return seen;
}

test('transitions asked for in one turn share one commit', async () => {
  using store = storeAt(':memory:');
  const fence = await claimed(store);
  const seen = commits();
  await Promise.all(
    ['a', 'b', 'c'].map((key) => store.put(fence, { key, kind: 'step', attempt: 1, state: done })),
  );
  expect(seen.count).toBe(1);
});

test('a transition that throws takes nothing with it, and leaves nothing of its own', async () => {
  using store = storeAt(':memory:');
  const fence = await claimed(store);
  const seen = commits();
  const settled = await Promise.allSettled([
    store.put(fence, { key: 'a', kind: 'step', attempt: 1, state: done }),
    store.reopen('unknown', []),
    store.put({ ...fence, epoch: 99 }, { key: 'b', kind: 'step', attempt: 1, state: done }),
    store.put(fence, { key: 'c', kind: 'step', attempt: 1, state: done }),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(store.db.all('select key from entries').map((row) => row['key'])).toEqual(['a', 'c']);
  expect(seen.count).toBe(1);
});

test('nothing is reported before it is durable, and a commit that fails fails everything in it', async () => {
  using store = storeAt(':memory:');
  const fence = await claimed(store);
  setProbe((point) => {
    if (point === 'commit:before') throw new Error('the plug was pulled');
  });
  const writes = ['a', 'b'].map((key) => store.put(fence, { key, kind: 'step', attempt: 1, state: done }));
  for (const write of await Promise.allSettled(writes)) expect(write.status).toBe('rejected');
  setProbe(null);
  expect(store.db.all('select key from entries')).toEqual([]);
});

test('when SQLite has rolled back by itself, the error that is told is the first one', async () => {
  using folder = tempFolder();
  using store = storeAt(join(folder.path, 'tutti.db'));
  const fence = await claimed(store);
  const pages = Number(store.db.get('pragma page_count')?.['page_count']);
  store.db.exec(`pragma max_page_count=${pages + 2}`);
  const large = { at: 'done', outcome: 'SUCCESS', value: 'x'.repeat(200_000) } as const;
  const put = (key: string) => store.put(fence, { key, kind: 'step', attempt: 1, state: large });
  const settled = await Promise.allSettled([put('a'), put('b')]);
  for (const one of settled) {
    expect(one).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailable' } });
    expect(String(one.status === 'rejected' && one.reason)).toContain('database or disk is full');
  }
  expect(settled[0]).toMatchObject({ reason: { hint: expect.stringContaining('disk space') as string } });
  store.db.exec('pragma max_page_count=1000000');
  await put('a');
  expect(store.db.all('select key from entries')).toHaveLength(1);
});

test('a database that a newer program wrote is refused with one sentence and a next command', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'tutti.db');
  using newer = new DatabaseSync(path);
  newer.exec('pragma user_version=99');
  const refused = (): unknown => storeAt(path);
  expect(refused).toThrow(
    new RegExp(
      `^cannot use .*: it was written by a newer tutti \\(format 99, this program knows ${migrations.length}\\)$`,
    ),
  );
  expect(refused).toThrow(StoreUnavailable);
});

test('a database that must be upgraded is refused while a process of the old program lives', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'tutti.db');
  const next = [...migrations, 'create table further(id integer)'];
  storeAt(path)[Symbol.dispose]();
  expect(() => openDatabase(path, () => 'process 7', next)).toThrow(
    'it must be upgraded, but process 7 still uses it',
  );
});

test('an upgrade leaves a backup that opens, and is private', async () => {
  using folder = tempFolder();
  const path = join(folder.path, "it's.db");
  const backups = new BackupFolder(join(folder.path, "copies of it's"));
  const next = [...migrations, 'create table further(id integer)'];
  {
    using store = storeAt(path);
    await claimed(store);
  }
  using upgraded = openDatabase(path, () => null, next, undefined, backups);
  expect(upgraded.get('pragma user_version')?.['user_version']).toBe(next.length);
  const backup = backups.copy(lineageOf(upgraded));
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  using old = storeAt(backup);
  expect(old.db.get('select id from runs')).toEqual({ id: 'r' });
});

test('an upgrade that fails half way leaves the old database as it was', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'tutti.db');
  storeAt(path)[Symbol.dispose]();
  const broken = [...migrations, 'create table further(id integer)', 'no sql at all'];
  expect(() => openDatabase(path, () => null, broken)).toThrow(StoreUnavailable);
  using store = storeAt(path);
  expect(() => store.db.get('select * from further')).toThrow('no such table');
});

test('who still works with the old format is found by its process; a dead holder does not matter', async () => {
  using folder = tempFolder();
  const path = join(folder.path, 'tutti.db');
  {
    using store = storeAt(path);
    await claimed(store);
  }
  const next = [...migrations, 'create table further(id integer)'];
  expect(() => openDatabase(path, (db) => liveHolder(db, ({ pid }) => pid === 1), next)).toThrow(
    'process 1 still uses it',
  );
  openDatabase(path, (db) => liveHolder(db, () => false), next)[Symbol.dispose]();
});

test('the file and its folder are for their owner only', () => {
  using folder = tempFolder();
  const path = join(folder.path, '.tutti', 'tutti.db');
  using _store = storeAt(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder.path, '.tutti')).mode & 0o777).toBe(0o700);
});

test('programs that open a new database at the same moment all get one', async () => {
  for (let round = 0; round < 12; round += 1) {
    using folder = tempFolder();
    const said = await openedAtOnce(join(folder.path, 'tutti.db'), 3);
    expect(said).toEqual(said.map(() => String(migrations.length)));
  }
});

/** What each process says: the format of the database it opened, or why it could not. */
async function openedAtOnce(path: string, count: number): Promise<readonly string[]> {
  const code = `
    import { openDatabase, versionOf } from ${JSON.stringify(import.meta.resolve('../../src/store/database.ts'))};
    process.stdin.once('data', (moment) => {
      while (Date.now() < Number(moment));
      try {
        using db = openDatabase(${JSON.stringify(path)}, () => null);
        console.log(versionOf(db));
      } catch (error) {
        console.log(error.message);
      }
      process.exit();
    });
    console.log('ready');`;
  const programs = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', code], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(programs.map(({ stdout }) => once(stdout, 'data')));
  const said = programs.map(({ stdout }) => text(stdout));
  const moment = Date.now() + 50;
  for (const { stdin } of programs) stdin.write(String(moment));
  return (await Promise.all(said)).map((line) => line.trim());
}

test('a file that is no database is refused and left as it is', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'tutti.db');
  writeFileSync(path, 'this is a text, and long enough to be taken for one'.repeat(100));
  expect(() => storeAt(path)).toThrow('file is not a database');
  expect(statSync(path).size).toBeGreaterThan(1000);
});

test('a blob that is gone is named, not taken for an empty value', async () => {
  using store = storeAt(':memory:');
  const fence = await claimed(store);
  const state = { at: 'done', outcome: 'SUCCESS', value: 'x'.repeat(300_000) } as const;
  await store.put(fence, { key: 'a', kind: 'step', attempt: 1, state });
  store.db.exec('delete from blobs');
  await expect(store.claim('r', { me: holder(1), monotonic: 0, gone: [] }, 1)).rejects.toThrow(
    /its value [0-9a-f]{12} is missing/,
  );
});

test('looking for other processes’ changes never throws at the clock', () => {
  const clock = new VirtualClock();
  const store = new SqliteStore({ path: ':memory:', clock, maxSessions: 1, isAlive: () => true });
  let told = 0;
  using _subscription = store.subscribe(() => {
    told += 1;
  });
  clock.advance(100);
  store.db[Symbol.dispose]();
  expect(() => {
    clock.advance(100);
  }).not.toThrow();
  expect(told).toBe(1);
});
