import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { holder, newRun } from '../../test/rig/engine.ts';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { VirtualClock } from '../../test/rig/virtual-clock.ts';
import { BackupFolder } from './backup-folder.ts';
import { lineageOf } from './change-log.ts';
import { openDatabase } from './database.ts';
import { inspectFile } from './inspect.ts';
import { migrations } from './migrations.ts';
import { restore } from './restore.ts';
import { SqliteStore } from './sqlite-store.ts';

const hour = 60 * 60 * 1000;

class Place implements Disposable {
  readonly #folder = tempFolder();
  readonly clock = new VirtualClock(1_700_000_000_000);
  readonly path = join(this.#folder.path, '.tutti', 'tutti.db');
  readonly backups = new BackupFolder(join(this.#folder.path, 'backups'));
  readonly restored = join(this.#folder.path, 'restored.db');

  open(): SqliteStore {
    const { path, clock, backups } = this;
    return new SqliteStore({ path, clock, maxSessions: 8, isAlive: () => true, backups });
  }

  /** While the result is not disposed of, nothing can be written outside the project. */
  closeBackups(): Disposable {
    const aside = `${this.backups.path}-aside`;
    if (existsSync(this.backups.path)) renameSync(this.backups.path, aside);
    writeFileSync(this.backups.path, 'not a folder');
    return {
      [Symbol.dispose]: () => {
        rmSync(this.backups.path);
        if (existsSync(aside)) renameSync(aside, this.backups.path);
      },
    };
  }

  restore() {
    const how = restore(this.backups, this.restored);
    return { how, runs: how === null ? [] : runsIn(this.restored) };
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

function runsIn(path: string): readonly string[] {
  using db = openDatabase(path, () => null);
  return db.all('select id from runs order by id').map((row) => String(row['id']));
}

/** One transaction each. */
async function start(store: SqliteStore, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await store.start(newRun(id, 'w'));
}

test('a database is restored from its changes alone when no copy was made yet', async () => {
  using place = new Place();
  using store = place.open();
  await start(store, 'a', 'b');
  expect(place.restore()).toMatchObject({
    how: { copiedAt: null, changes: 2, missing: 0 },
    runs: ['a', 'b'],
  });
});

test('a restored database equals the lost one, and numbers its next transaction after the last', async () => {
  using place = new Place();
  using store = place.open();
  await start(store, 'a');
  expect(await store.backUp(hour)).toBe(true);
  await start(store, 'b');
  await store.claim('b', { me: holder(1), monotonic: 0, gone: [] }, 30_000);
  await store.put(
    { runId: 'b', epoch: 1 },
    {
      key: 'k',
      kind: 'step',
      attempt: 1,
      state: { at: 'done', outcome: 'SUCCESS', value: 'x'.repeat(300_000) },
    },
  );
  const { how } = place.restore();
  expect(how).toMatchObject({ changes: 3, missing: 0 });
  using restored = openDatabase(place.restored, () => null);
  for (const table of ['runs', 'entries', 'budgets', 'events', 'holders', 'blobs']) {
    expect(restored.all(`select * from ${table}`)).toEqual(store.db.all(`select * from ${table}`));
  }
  expect(lineageOf(restored).changes).toBe(lineageOf(store.db).changes);
});

test('copies are made at most once an hour, three are kept, and all are private', async () => {
  using place = new Place();
  using store = place.open();
  const { id } = lineageOf(store.db);
  expect(await store.backUp(hour)).toBe(true);
  expect(await store.backUp(hour)).toBe(false);
  for (let n = 0; n < 4; n += 1) {
    await start(store, `r${n}`);
    expect(await store.backUp(0)).toBe(true);
  }
  const folder = join(place.backups.path, id);
  expect(
    readdirSync(folder)
      .filter((name) => name.endsWith('.db'))
      .toSorted(),
  ).toEqual(['3.db', '4.db', '5.db']);
  expect(
    readdirSync(folder)
      .filter((name) => name.endsWith('.changes'))
      .every((name) => Number.parseInt(name, 10) >= 3),
  ).toBe(true);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('a database that another one replaced is kept for 30 days, so that its runs can be brought back', async () => {
  using place = new Place();
  using store = place.open();
  const other = join(place.backups.path, 'replaced', '0.changes');
  mkdirSync(join(place.backups.path, 'replaced'), { recursive: true });
  writeFileSync(other, '');
  const days = (count: number): number => place.clock.wall() / 1000 - count * 24 * 60 * 60;
  const isKept = async (): Promise<boolean> => {
    for (let n = 0; n < 3; n += 1) await store.backUp(0);
    return existsSync(other);
  };
  utimesSync(other, days(29), days(29));
  expect(await isKept()).toBe(true);
  utimesSync(other, days(31), days(31));
  expect(await isKept()).toBe(false);
});

test('a copy that cannot be read leads to the one before it, and nothing is missing', async () => {
  using place = new Place();
  using store = place.open();
  await start(store, 'a');
  await store.backUp(0);
  await start(store, 'b');
  await store.backUp(0);
  await start(store, 'c');
  const { id } = lineageOf(store.db);
  truncateSync(place.backups.copy({ id, backup: 2 }), 5000);
  expect(place.restore()).toMatchObject({ how: { missing: 0 }, runs: ['a', 'b', 'c'] });
});

test('changes after one that was not kept are counted as missing', async () => {
  using place = new Place();
  using store = place.open();
  await start(store, 'a', 'b', 'c', 'd');
  const { id } = lineageOf(store.db);
  const log = place.backups.changes({ id, backup: 0 });
  const lines = readFileSync(log, 'latin1')
    .split('\n')
    .filter((line) => line !== '');
  writeFileSync(log, [lines[0], lines[1]?.slice(0, 40), lines[2], lines[3], ''].join('\n'));
  expect(place.restore()).toMatchObject({ how: { changes: 1, missing: 3 }, runs: ['a'] });
});

test('a process copies the whole database as soon as its log can be written again, in the middle of its work', async () => {
  using place = new Place();
  using store = place.open();
  await start(store, 'a');
  {
    using _closed = place.closeBackups();
    await start(store, 'b', 'c');
    expect(await store.missingInCopy()).toBe(3);
  }
  expect(await store.missingInCopy()).toBe(2);
  await start(store, 'd');
  expect(await store.missingInCopy()).toBe(0);
  await start(store, 'e');
  expect(place.restore()).toMatchObject({ how: { changes: 2, missing: 0 }, runs: ['a', 'b', 'c', 'd', 'e'] });
});

test('the next process that can write copies a database whose log ends with a gap', async () => {
  using place = new Place();
  {
    using store = place.open();
    await start(store, 'a');
    await store.backUp(0);
    using _closed = place.closeBackups();
    await start(store, 'b');
  }
  using store = place.open();
  await start(store, 'c', 'd');
  const { id } = lineageOf(store.db);
  expect(place.backups.copies(id)).toEqual([2, 1]);
  expect(place.restore()).toMatchObject({ how: { changes: 2, missing: 0 }, runs: ['a', 'b', 'c', 'd'] });
});

test('a log that was torn inside a change by a full disk is begun again with a copy', async () => {
  using place = new Place();
  using store = place.open();
  await start(store, 'a', 'b');
  const { id } = lineageOf(store.db);
  const log = place.backups.changes({ id, backup: 0 });
  truncateSync(log, statSync(log).size - 20);
  await start(store, 'c');
  expect(place.restore()).toMatchObject({ how: { missing: 0 }, runs: ['a', 'b', 'c'] });
});

test('a copy of a transaction that was rolled back does not hide the changes that come after it', async () => {
  using place = new Place();
  using store = place.open();
  await start(store, 'a');
  const { id } = lineageOf(store.db);
  rmSync(place.backups.changes({ id, backup: 0 }));
  const run = store.db.run.bind(store.db);
  {
    using _failing = vi.spyOn(store.db, 'run').mockImplementation((sql, ...values) => {
      if (sql === 'commit') throw new Error('the disk is full');
      return run(sql, ...values);
    });
    await expect(start(store, 'b')).rejects.toThrow('the disk is full');
  }
  expect(place.backups.copies(id)).toEqual([1]);
  await start(store, 'c', 'd');
  expect(await store.missingInCopy()).toBe(0);
  expect(place.restore()).toMatchObject({ how: { missing: 0 }, runs: ['a', 'c', 'd'] });
});

test('changes that could not be copied again are counted as missing, and the copy is tried again later', async () => {
  using place = new Place();
  using store = place.open();
  await start(store, 'a', 'b');
  const { id } = lineageOf(store.db);
  const log = place.backups.changes({ id, backup: 0 });
  truncateSync(log, statSync(log).size - 20);
  {
    using full = vi.spyOn(place.backups, 'begin').mockReturnValue('/dev/full/nowhere');
    await start(store, 'c', 'd');
    expect(full).toHaveBeenCalledTimes(1);
  }
  expect(place.restore()).toMatchObject({ how: { changes: 1, missing: 3 }, runs: ['a'] });
  rmSync(place.restored);
  place.clock.jump(60_000);
  await start(store, 'e');
  expect(place.restore()).toMatchObject({ how: { missing: 0 }, runs: ['a', 'b', 'c', 'd', 'e'] });
});

test('a process that begins copies a database whose log has a gap that it did not see, however young the last copy is', async () => {
  using place = new Place();
  using store = place.open();
  await start(store, 'a', 'b', 'c');
  const { id } = lineageOf(store.db);
  const log = place.backups.changes({ id, backup: 0 });
  expect(await store.backUp(Number.POSITIVE_INFINITY)).toBe(false);
  writeFileSync(
    log,
    readFileSync(log, 'latin1')
      .split('\n')
      .filter((line) => !line.endsWith(' 2'))
      .join('\n'),
  );
  expect(await store.missingInCopy()).toBe(2);
  using next = place.open();
  expect(await next.backUp(Number.POSITIVE_INFINITY)).toBe(true);
  expect(await next.missingInCopy()).toBe(0);
  expect(await next.backUp(Number.POSITIVE_INFINITY)).toBe(false);
  expect(place.restore()).toMatchObject({ how: { missing: 0 }, runs: ['a', 'b', 'c'] });
});

test('a line that was torn spoils only itself, and a repeated number counts once', async () => {
  using place = new Place();
  using store = place.open();
  await start(store, 'a');
  const { id } = lineageOf(store.db);
  appendFileSync(place.backups.changes({ id, backup: 0 }), '\n1234 half');
  await start(store, 'b');
  expect(place.restore()).toMatchObject({ how: { changes: 2, missing: 0 }, runs: ['a', 'b'] });
});

test('a transition that failed is in no change, and those beside it are', async () => {
  using place = new Place();
  using store = place.open();
  await Promise.allSettled([
    store.start(newRun('a', 'w')),
    // Its budget cannot be written, after its run was.
    store.start(newRun('half', 'w', null, { limits: { depth: 5n as unknown as number } })),
  ]);
  expect(place.restore()).toMatchObject({ how: { changes: 1 }, runs: ['a'] });
  using restored = openDatabase(place.restored, () => null);
  expect(restored.get(`select 1 from runs where id = 'half'`)).toBeUndefined();
});

test('an upgrade makes a copy first, and changes of both formats are restored', async () => {
  using place = new Place();
  {
    using store = place.open();
    await start(store, 'a');
  }
  const next = [...migrations, 'alter table runs add column further text'];
  const { path, backups } = place;
  {
    using upgraded = openDatabase(path, () => null, next, undefined, backups);
    expect(backups.copies(lineageOf(upgraded).id)).toEqual([1]);
  }
  expect(restore(backups, place.restored, null, next)).toMatchObject({ changes: 0, missing: 0 });
});

test('the state of a file is found', async () => {
  using place = new Place();
  const state = () => inspectFile(place.path, place.backups);
  expect(state()).toBe('missing');
  const old = `${place.restored}.old`;
  {
    using store = place.open();
    await start(store, 'a');
    store.db.exec('pragma wal_checkpoint(truncate)');
    copyFileSync(place.path, old);
    await start(store, 'b', 'c', 'd');
  }
  expect(state()).toBe('sound');
  copyFileSync(old, place.path);
  expect(state()).toBe('behind');
  truncateSync(place.path, 6000);
  expect(state()).toBe('damaged');
  writeFileSync(place.path, Buffer.alloc(8192));
  expect(state()).toBe('damaged');
  truncateSync(place.path, 0);
  expect(state()).toBe('empty');
  rmSync(place.path);
  expect(state()).toBe('missing');
});

test('a database is not taken for an old copy because another process writes at the same moment', async () => {
  using place = new Place();
  using store = place.open();
  using writer = place.open();
  await start(store, 'a');
  // Between the looks at the log and at the database.
  using _busy = vi.spyOn(place.backups, 'logs').mockImplementation((id) => {
    for (let n = 0; n < 3; n += 1) {
      writer.db.run('update lineage set changes = changes + 1');
      appendFileSync(place.backups.changes({ id, backup: 0 }), `\n0 8 0 x ${lineageOf(writer.db).changes}\n`);
    }
    return [0];
  });
  expect(store.isBehind()).toBe(false);
});
