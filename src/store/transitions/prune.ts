import type { Tx } from './tables.ts';

/** The feed of runs that ended before this instant: their tables, views and reports stay. */
export function pruneEvents({ db }: Tx, endedBefore: number): number {
  return db.run(
    `delete from events where run in (select id from runs where state = 'ended' and ended_at < ?)
       or (run = '' and at < ?)`,
    endedBefore,
    endedBefore,
  );
}
