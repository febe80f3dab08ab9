import { number, text } from '../rows.ts';
import type { Tx } from './tables.ts';

/**
 * The feed of runs that ended before this instant: their tables, views and reports stay. The run that was told about last
 * keeps its feed: the number of the newest event must not be given again, because the process that follows the feed remembers it.
 */
export function pruneEvents({ db }: Tx, endedBefore: number): number {
  const newest = db.get('select seq, run from events order by seq desc limit 1');
  if (newest === undefined) return 0;
  return db.run(
    `delete from events where run in (select id from runs where state = 'ended' and ended_at < ? and id <> ?)
       or (run = '' and at < ? and seq <> ?)`,
    endedBefore,
    text(newest, 'run'),
    endedBefore,
    number(newest, 'seq'),
  );
}
