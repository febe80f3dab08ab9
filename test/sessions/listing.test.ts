import { expect, test } from 'vitest';
import type { Session } from '../../src/model/session.ts';
import { openDatabase } from '../../src/store/database.ts';
import { sessionColumns } from '../../src/store/session-columns.ts';
import { anySession } from '../../src/model/ports/session-queries.ts';
import { SqliteSessionQueries } from '../../src/store/session-queries.ts';
import { cpuMsOf } from '../rig/cpu-time.ts';
import { insertSessions } from '../rig/many-sessions.ts';

const count = 10_000;

function filled() {
  const db = openDatabase(':memory:', () => null);
  insertSessions(db, count);
  return { db, sessions: new SqliteSessionQueries(db), [Symbol.dispose]: () => db[Symbol.dispose]() };
}

test('ten thousand sessions, page by page: each once, the newest first', async () => {
  using world = filled();
  const { sessions } = world;
  const all = (await sessions.list(anySession, { limit: null, before: null })).map(({ id }) => id);
  const paged: string[] = [];
  for (let before: string | null = null; ; before = paged.at(-1) ?? null) {
    const page: readonly Session[] = await sessions.list(anySession, { limit: 50, before });
    if (page.length === 0) break;
    paged.push(...page.map(({ id }) => id));
  }
  expect(paged).toEqual(all);
  expect(new Set(all).size).toBe(count);
  expect(all).toEqual(all.toSorted().toReversed());
});

test('tags are each session’s own, whatever its neighbours have', async () => {
  using world = filled();
  world.db.exec(`update sessions set tags = '["odd"]' where cast(substr(id, 10, 6) as integer) % 8 = 4`);
  for (const { id, tags } of await world.sessions.list(anySession, { limit: null, before: null })) {
    const n = Number(id.slice(9, 15));
    const wanted = n % 8 === 4 ? ['odd'] : n % 4 === 0 ? ['nightly', 'validation'] : [];
    expect(tags, id).toEqual(wanted);
  }
});

test('a page is read from an index and sorted by nobody', () => {
  using world = filled();
  const plan = (sql: string) => world.db.all(`explain query plan ${sql}`).map((row) => String(row['detail']));
  const order = 'order by ordinal desc, created_at desc, id desc limit 50';
  const first = plan(`select ${sessionColumns} from sessions where archived_at is null ${order}`);
  const next = plan(
    `select ${sessionColumns} from sessions where archived_at is null and (ordinal, created_at, id) < (1, 1, 'x') ${order}`,
  );
  expect(first.join()).toContain('USING INDEX sessions_by_ordinal');
  expect(next.join()).toContain('USING INDEX sessions_by_ordinal');
  expect([...first, ...next].join()).not.toContain('TEMP B-TREE');
  // Control: another order has to sort.
  expect(plan(`select id from sessions order by agent limit 50`).join()).toContain('TEMP B-TREE');
});

test('a page of 50 takes at most a tenth of the processor time of the whole list', async () => {
  using world = filled();
  const took = (limit: number | null): Promise<number> =>
    cpuMsOf(() => world.sessions.list(anySession, { limit, before: null }));
  const ratios: number[] = [];
  for (let n = 0; n < 9; n += 1) ratios.push((await took(50)) / (await took(null)));
  ratios.sort((a, b) => a - b);
  expect(ratios[4]).toBeLessThan(0.1);
});
