import { join } from 'node:path';
import type { ProjectStore } from '../../src/model/ports/project-store.ts';
import { SqliteQueries } from '../../src/store/queries.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { delayed, randomDelay } from '../rig/delayed-store.ts';
import { Random } from '../simulation/random.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import type { Connection, Data, Subject } from './world.ts';

/** One file; every connection is what another process would have. */
export const sqliteFile: Subject = {
  name: 'SQLite, a file',
  open: () => {
    const folder = tempFolder();
    return dataOf(
      (connection) => new SqliteStore({ path: join(folder.path, 'tutti.db'), ...connection }),
      folder,
    );
  },
};

/** In memory there is one connection; whoever connects shares it. */
export const sqliteMemory: Subject = {
  name: 'SQLite, in memory',
  open: () => {
    let only: SqliteStore | null = null;
    return dataOf((connection) => (only ??= new SqliteStore({ path: ':memory:', ...connection })), null);
  },
};

function dataOf(open: (connection: Connection) => SqliteStore, folder: Disposable | null): Data {
  const stores: SqliteStore[] = [];
  const first = (): SqliteStore => {
    const [store] = stores;
    if (store === undefined) throw new Error('nobody has connected yet');
    return store;
  };
  return {
    connect: (connection): ProjectStore => {
      const store = open(connection);
      stores.push(store);
      return store;
    },
    get queries() {
      return new SqliteQueries(first().db);
    },
    slots: () => Number(first().db.get('select count(*) as n from launches')?.['n']),
    [Symbol.dispose]: () => {
      for (const store of new Set(stores)) store[Symbol.dispose]();
      folder?.[Symbol.dispose]();
    },
  };
}

/** Another subject as if its store were in another process: every call takes up to 40 ms, and only plain data passes. */
export function delayedSubject(subject: Subject, seed: number): Subject {
  return {
    name: `${subject.name}, delayed (seed ${seed})`,
    open: () => {
      const data = subject.open();
      const random = new Random(seed);
      const delay = randomDelay(() => random.next());
      return {
        connect: (connection) => delayed(data.connect(connection), delay),
        get queries() {
          return delayed(data.queries, delay);
        },
        slots: () => data.slots(),
        [Symbol.dispose]: () => {
          data[Symbol.dispose]();
        },
      };
    },
  };
}
