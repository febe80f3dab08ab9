import type { Holder } from '../model/holder.ts';
import type { Database } from './database.ts';
import { holderOf } from './rows.ts';

/** Asked only when the file must be upgraded: does somebody still work with the old format? */
export function liveHolder(db: Database, isAlive: (holder: Holder) => boolean): string | null {
  const alive = db.all('select * from holders').map(holderOf).find(isAlive);
  return alive === undefined ? null : `process ${alive.pid}`;
}

/** For a database that takes the place of another: no process advances a run with it yet. */
export function forgetHolders(db: Database): void {
  db.run('update runs set holder = null');
  db.run('delete from holders');
}
