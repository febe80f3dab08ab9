import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { advanceOrAwait } from '../../src/app/runs/advance-run.ts';
import { checkFlow } from '../../src/app/runs/start-flow.ts';
import { identify } from '../../src/lib/process/identity.ts';
import { writeShellProject } from '../e2e/project.ts';
import { approvedPlan } from '../pay/scenarios.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { openTutti, startFlow } from '../rig/trust.ts';

test('a command gets the run whose conductor ended while the command asked for it', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeShellProject(path, { name: 'one', steps: [{ id: 'one', command: ['true'] }] });
  const opened = openTutti({ folder: path, env: { PATH: process.env['PATH'], HOME: path }, create: true });
  if (!opened.ok) throw new Error(opened.error.message);
  using tutti = opened.value;
  const request = { file: 'flow.yaml', folder: path, runId: 'r', maxParallel: null };
  const flow = checkFlow(request);
  if (!flow.ok) throw new Error(flow.error.message);
  expect((await startFlow(tutti, flow.value, request)).ok).toBe(true);
  const other = spawn('sleep', ['600']);
  const identity = identify(other.pid ?? 0);
  if (identity === null) throw new Error('it does not run');
  const me = { ...identity, id: 'other', host: tutti.me.host };
  const { store } = tutti;
  const real = store.claim.bind(store);
  const facts = { me, monotonic: tutti.clock.monotonic(), gone: [tutti.me] };
  expect((await real('r', facts, 600_000)).at).toBe('claimed');
  const verdicts: string[] = [];
  store.claim = async (...args) => {
    const claim = await real(...args);
    verdicts.push(claim.at);
    if (claim.at === 'held') {
      other.kill('SIGKILL');
      await once(other, 'exit');
    }
    return claim;
  };
  expect(await advanceOrAwait(tutti, { runId: 'r', stay: false })).toEqual({ ok: true, value: 'SUCCESS' });
  expect(verdicts).toEqual(['held', 'claimed']);
});

test('execute ends a run whose process was killed after its last task was done', async () => {
  using project = await approvedPlan(undefined);
  expect((await project.run('execute')).code).toBe(0);
  const paid = project.turns();
  const path = join(project.path, '.tutti', 'tutti.db');
  const state = () => {
    using db = new DatabaseSync(path, { readOnly: true });
    return db.prepare(`select state, outcome from runs where id = 'records-execute'`).get();
  };
  {
    using db = new DatabaseSync(path);
    db.exec(
      `update runs set state = 'running', outcome = null, ended_at = null where id = 'records-execute'`,
    );
  }
  const again = await project.run('execute');
  expect(again.code, again.stderr).toBe(0);
  expect(state()).toEqual({ state: 'ended', outcome: 'SUCCESS' });
  expect(project.turns()).toEqual(paid);
});
