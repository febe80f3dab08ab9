import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { costsForm } from '../../src/model/schemas/costs-output.ts';
import { migrations } from '../../src/store/migrations.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { cli } from './rig.ts';

test('what was recorded before prices were known is still told after the upgrade', async () => {
  using folder = tempFolder();
  mkdirSync(join(folder.path, '.tutti'));
  const db = new DatabaseSync(join(folder.path, '.tutti', 'tutti.db'));
  db.exec('pragma journal_mode=wal');
  db.exec(migrations[0] ?? '');
  db.exec('pragma user_version=1');
  db.exec(`insert into runs(id, workflow, input, state, root, depth, trace, concurrency, started_at)
    values('old', 'flow', 'null', 'running', 'old', 0, 't', 1, 1)`);
  db.exec(`insert into sessions(id, run, key, attempt, agent, driver, tier, status, depth, turn, host, requester, tags,
      created_at, begun_at, ended_at, input_tokens, output_tokens, cost_usd)
    values('s', 'old', 'a@1', 1, 'coder', 'd', 'low', 'COMPLETED', 1, 1, 'headless', 'r', '[]', 1, 1, 2, 10, 5, 0.5)`);
  db.close();
  const { out, code } = await cli({ folder: folder.path }, 'costs', 'old', '--by', 'model', '--json');
  expect(code).toBe(0);
  expect(costsForm.parse(JSON.parse(out))).toMatchObject({
    groups: [{ name: 'unknown', cost_usd: 0.5, computed_cost_usd: 0, input_tokens: 10 }],
  });
});
