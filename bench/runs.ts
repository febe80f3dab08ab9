import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { SqliteQueries } from '../src/store/queries.ts';
import type { SqliteStore } from '../src/store/sqlite-store.ts';
import type { Bench } from './bench.ts';
import { interleave, timed } from './interleave.ts';
import { resultOf } from './result.ts';
import { newRun, storeAt } from './rig.ts';

const count = 10_000;

/** Those of a run without what can be large. */
const columns = `id, workflow, state, reason, outcome, null as value, failure, epoch, change, cancelled, root,
  parent_run, parent_key, depth, trace, concurrency, started_at, ended_at`;

/** A project that has been used for years: its list must still be there at once. */
export const runsBench: Bench = {
  name: 'runs',
  about: 'listing 10,000 runs in process, against one SQL select of the same columns',
  async run({ folder, rounds, progress }) {
    const path = join(folder, 'runs.db');
    using store = storeAt(path);
    await fill(store);
    using raw = new DatabaseSync(path);
    const select = raw.prepare(`select ${columns} from runs order by started_at desc, id desc`);
    const queries = new SqliteQueries(store.db);
    const pair = {
      subject: () => timed(async () => complete(await queries.runs(null))),
      floor: () => timed(() => complete(select.all())),
    };
    const sides = {
      bench: 'runs',
      name: 'list',
      subject: `Queries.runs of ${count} runs`,
      floor: 'one select of the same columns, same driver',
      unit: 'ms',
      bar: 1.3,
    };
    return [resultOf(sides, await interleave(pair, rounds, progress))];
  },
};

function complete(rows: readonly unknown[]): void {
  if (rows.length !== count) throw new Error(`${rows.length} of ${count} runs were listed`);
}

/** Most have ended, some of them badly, and a few are going on: as in life. */
async function fill(store: SqliteStore): Promise<void> {
  const ids = Array.from({ length: count }, (_, n) => `nightly-build-20260101-${String(n).padStart(6, '0')}`);
  await Promise.all(ids.map((id) => store.start(newRun(id, 'flow', { n: 1 }, 8))));
  const failure = JSON.stringify({ outcome: 'FAILURE', reason: 'needs', message: 'test: exit code 1' });
  store.db.exec(`
    update runs set started_at = started_at - (select count(*) from runs r where r.id > runs.id) * 60000;
    update runs set state = 'ended', outcome = 'SUCCESS', value = 'null', failure = 'null', ended_at = started_at + 5000
      where substr(id, -2) < '95';
    update runs set outcome = 'FAILURE', failure = '${failure}' where state = 'ended' and substr(id, -1) = '7';
  `);
}
