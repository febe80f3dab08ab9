import { join } from 'node:path';
import { isAlive } from '../lib/process/identity.ts';
import type { Redactor } from '../lib/redact.ts';
import type { ProjectSettings } from '../model/config.ts';
import { realClock } from '../runtime/clock.ts';
import { BackupFolder } from '../store/backup-folder.ts';
import { SqliteQueries } from '../store/queries.ts';
import { SqliteStore } from '../store/sqlite-store.ts';
import type { ProjectPaths } from './project.ts';
import { stateFolder } from './state-folder.ts';
import { composedStore, type OpenedStore } from './store-composition.ts';

/** What the store of a project is opened with. The only place that chooses a store: another one is added here. */
export interface StorePlace {
  readonly paths: Pick<ProjectPaths, 'database' | 'mark'>;
  readonly config: Pick<ProjectSettings, 'maxSessions'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly redactor: Redactor;
}

/** Opens the store of a project without asking whether it is the one that the project had. */
export function openStore(place: StorePlace): OpenedStore {
  return behindPorts(openSqlite(place));
}

export function openSqlite({ paths, config, env, redactor }: StorePlace): SqliteStore {
  return new SqliteStore({
    path: paths.database,
    clock: realClock(),
    maxSessions: config.maxSessions,
    isAlive,
    redactor,
    backups: backupFolderOf(paths, env),
  });
}

export function behindPorts(store: SqliteStore): OpenedStore {
  return composedStore({
    store,
    queries: new SqliteQueries(store.db),
    [Symbol.dispose]: () => {
      store[Symbol.dispose]();
    },
  });
}

/** Where copies of a project's database are kept. */
export function backupFolderOf({ mark }: Pick<ProjectPaths, 'mark'>, env: StorePlace['env']): BackupFolder {
  return new BackupFolder(join(stateFolder(env), 'backups', mark));
}
