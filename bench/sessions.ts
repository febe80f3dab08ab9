import { join } from 'node:path';
import { SqliteQueries } from '../src/store/queries.ts';
import { sessionColumns } from '../src/store/session-columns.ts';
import { anySession } from '../src/model/ports/session-queries.ts';
import { insertSessions } from '../test/rig/many-sessions.ts';
import type { Bench } from './bench.ts';
import { interleave, timed } from './interleave.ts';
import { resultOf } from './result.ts';
import { storeAt } from './rig.ts';

const count = 10_000;
const page = 50;
/** One listing is over in milliseconds: several of them outlast the grain of the clock and a collection of garbage. */
const repeats = 5;

const all = `select ${sessionColumns} from sessions where archived_at is null order by created_at desc, id desc`;

/** A project that has been used for years: `tutti session list` must still be there at once. */
export const sessionsBench: Bench = {
  name: 'sessions',
  about:
    'listing 10,000 sessions in process, against one SQL select of the same columns; a page against the list',
  async run({ folder, rounds, progress }) {
    using store = storeAt(join(folder, 'sessions.db'));
    insertSessions(store.db, count);
    const { sessions } = new SqliteQueries(store.db);
    const listed = (limit: number | null) => () =>
      times(() => sessions.list(anySession, { limit, before: null }), limit);
    const list = {
      subject: listed(null),
      floor: () => times(() => store.db.lists(all), null),
    };
    const first = { subject: listed(page), floor: listed(null) };
    const sides = { bench: 'sessions', unit: 'ms' };
    return [
      resultOf(
        {
          ...sides,
          name: 'list',
          subject: `${repeats} × SessionQueries.list of ${count} sessions`,
          floor: 'as many selects of the same columns, same connection',
          bar: 1.3,
        },
        await interleave(list, rounds, progress),
      ),
      resultOf(
        {
          ...sides,
          name: 'page',
          subject: `${repeats} × the newest ${page}`,
          floor: `as many lists of all ${count}`,
          bar: 0.1,
        },
        await interleave(first, rounds, progress),
      ),
    ];
  },
};

function times(
  list: () => readonly unknown[] | Promise<readonly unknown[]>,
  limit: number | null,
): Promise<number> {
  return timed(async () => {
    for (let n = 0; n < repeats; n += 1) {
      const { length } = await list();
      if (length !== (limit ?? count)) throw new Error(`${length} of ${limit ?? count} sessions were listed`);
    }
  });
}
