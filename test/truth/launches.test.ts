import { afterAll, expect, test } from 'vitest';
import { costsOf } from '../../src/app/costs/costs.ts';
import { runStatus } from '../../src/app/status/run-status.ts';
import { executionReport } from '../../src/app/views/execution-report.ts';
import { budgetLine } from '../../src/cli/render/budget-line.ts';
import { unknownUsage } from '../../src/model/usage.ts';
import { removeGround, TruthWorld } from './world.ts';

afterAll(removeGround);

/** A run with one turn whose launch was recorded, and whose process does not exist yet. */
async function launched() {
  const world = new TruthWorld();
  await world.begin();
  await world.start();
  const [run] = world.runs;
  if (run === undefined) throw new Error('no run was started');
  await world.launch(run, 'T001');
  const turn = world.turns.at(-1);
  if (turn === undefined) throw new Error('no turn was launched');
  return { world, run, turn };
}

/** What `status`, `report` and `costs` say of the launches of the run. */
async function told(world: TruthWorld): Promise<readonly unknown[]> {
  const runId = world.runs[0]?.id ?? '';
  const status = await runStatus(world.places, new Map(), runId);
  if (status?.budget === null || status === null) throw new Error('there is no budget');
  const { total } = await costsOf(world.places, { runId, by: 'run', since: 0 });
  const report = /^- Launches: (\d+)/m.exec(executionReport(status, []))?.[1];
  return [budgetLine(status.budget).split(' ')[0], report, String(total.turns + total.running)];
}

test('a launch that was recorded and never started counts nowhere, before and after its loss is recorded', async () => {
  const { world, run, turn } = await launched();
  expect(await told(world)).toEqual(['0', '0', '0']);
  world.processes.kill(run.pid ?? 0);
  expect(await told(world)).toEqual(['0', '0', '0']);
  await world.store.complete(
    { runId: run.id, key: turn.key, attempt: 1 },
    { at: 'lost' },
    { status: 'FAILED', exitCode: null, outcome: 'FAILURE', usage: unknownUsage },
  );
  expect(await told(world)).toEqual(['0', '0', '0']);
  expect((await world.queries.budget(run.id))?.spent).toMatchObject({ launches: 0, unpriced: 0 });
});

test('a launch counts everywhere as soon as its process began, also where no process has recorded it', async () => {
  const { world, run, turn } = await launched();
  await world.spawn(turn);
  expect(await told(world)).toEqual(['1', '1', '1']);
  world.processes.kill(run.pid ?? 0);
  world.exit(turn, 0);
  expect(await told(world)).toEqual(['1', '1', '1']);
  const unread = async () => (await costsOf(world.places, { runId: run.id, by: 'run', since: 0 })).unread;
  expect(await unread()).toBe(1);
  await world.claim(run);
  await world.record(turn);
  expect(await unread()).toBe(0);
  expect(await told(world)).toEqual(['1', '1', '1']);
});
