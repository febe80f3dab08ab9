import { afterAll, expect, test } from 'vitest';
import { runStatus } from '../../src/app/status/run-status.ts';
import type { Workflow } from '../../src/kernel/ctx.ts';
import { removeGround, TruthWorld } from './world.ts';

afterAll(removeGround);

const workflow: Workflow = {
  name: 'truth',
  run: () => Promise.resolve(null),
  outline: () => [{ id: 'T001', needs: [], proof: 'verdict' }],
};

const hourMs = 3_600_000;

async function playTurn(world: TruthWorld, run: TruthWorld['runs'][number]): Promise<void> {
  await world.launch(run, 'T001');
  const turn = world.turns.at(-1);
  if (turn === undefined) throw new Error('no turn was launched');
  await world.spawn(turn);
  world.exit(turn, 0);
  await world.record(turn);
}

test('a part that succeeded is not the success of its task, which has no outcome before its verdict', async () => {
  const world = new TruthWorld();
  await world.begin();
  await world.start();
  const [run] = world.runs;
  if (run === undefined) throw new Error('no run was started');
  await playTurn(world, run);
  const steps = async () => (await runStatus(world.places, new Map([['truth', workflow]]), run.id))?.steps;
  expect(await steps()).toMatchObject([{ state: expect.not.stringMatching('done'), outcome: null }]);
  await world.prove(run, 'T001');
  expect(await steps()).toMatchObject([{ state: 'done', outcome: 'SUCCESS' }]);
});

test('parts are shown in the order of their creation although the clock was set back', async () => {
  const world = new TruthWorld();
  await world.begin();
  await world.start();
  const [run] = world.runs;
  if (run === undefined) throw new Error('no run was started');
  world.clock.jump(10 * hourMs);
  await playTurn(world, run);
  world.clock.jump(-2 * hourMs);
  await playTurn(world, run);
  world.clock.jump(-2 * hourMs);
  await world.prove(run, 'T001');
  const status = await runStatus(world.places, new Map([['truth', workflow]]), run.id);
  const [step] = status?.steps ?? [];
  expect(step?.parts.map(({ id }) => id)).toEqual(['T001', 'T001/heal-2', 'T001/verdict']);
  expect(step?.state).toBe('done');
});
