import type { Database } from '../../src/store/database.ts';

/** Most have ended, some of them badly, one in four has tags, and a few are going on: as in life. */
export function insertSessions(db: Database, count: number): void {
  const live = count - 5;
  db.exec(`
    with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1})
    insert into sessions(id, run, key, attempt, agent, driver, tier, status, depth, turn, continues, host, parent,
      requester, tags, created_at, ordinal, begun_at, ended_at, exit_code, outcome, input_tokens, output_tokens, cost_usd)
    select printf('20260101-%06d-coder', i), printf('20260101-%06d-coder', i), 'session@0123456789abcdef', 1,
      'coder', 'claude', 'medium',
      case when i >= ${live} then 'RUNNING' when i % 10 = 7 then 'FAILED' else 'COMPLETED' end,
      1, 1, null, 'headless', null, 'user:ada',
      case when i % 4 = 0 then '["nightly","validation"]' else '[]' end,
      1700000000000 + i / 3 * 60000, i + 1, 1700000000000 + i * 60000 + 40,
      case when i < ${live} then 1700000000000 + i * 60000 + 300000 end,
      case when i < ${live} then i % 10 = 7 end,
      case when i < ${live} then case when i % 10 = 7 then 'FAILURE' else 'SUCCESS' end end,
      12000 + i, 900, 0.25
    from n`);
}
