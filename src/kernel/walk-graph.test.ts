import { expect, test } from 'vitest';
import { session, World } from '../../test/conformance/world.ts';
import { sqliteMemory } from '../../test/conformance/subjects.ts';
import { plain } from '../lib/json.ts';
import { failure } from '../model/failure.ts';
import { keyOf } from '../model/key.ts';
import { StepFailed } from './ctx.ts';
import { walkGraph } from './walk-graph.ts';

const diamond = [
  { id: 'last', needs: ['left', 'right'] },
  { id: 'left', needs: ['first'] },
  { id: 'right', needs: ['first'] },
  { id: 'first', needs: [] },
];

test('each node is visited after what it needs, and sees how that ended', async () => {
  using world = new World(sqliteMemory);
  world.define('w', async (ctx) => {
    const ends = await walkGraph<{ at: string; id: string; after: string[] }>(
      ctx,
      diamond,
      async (scope, node) => {
        await scope.step(keyOf(node.id, null), () => null);
        return { at: 'seen', id: node.id, after: node.needs.map(({ id, end }) => `${id} ${end.at}`) };
      },
    );
    return plain(ends);
  });
  await world.start('r');
  const ends = await world.value(world.engine(1).advance('r', { stay: true }));
  expect(ends).toEqual([
    { at: 'seen', id: 'first', after: [] },
    { at: 'seen', id: 'left', after: ['first seen'] },
    { at: 'seen', id: 'right', after: ['first seen'] },
    { at: 'seen', id: 'last', after: ['left seen', 'right seen'] },
  ]);
});

test('a refused launch fails its node, and the others are visited all the same', async () => {
  using world = new World(sqliteMemory);
  world.host.auto = () => ({ at: 'done', outcome: 'SUCCESS', value: null });
  world.define('w', async (ctx) => {
    const ends = await walkGraph<{ at: string; id: string }>(ctx, diamond, async (scope, { id, needs }) => {
      if (id === 'left') throw new StepFailed('left@0', failure('unavailable', 'no slot'));
      await scope.session(keyOf(id, null), session);
      return { at: needs.map(({ end }) => end.at).join(' and ') || 'none', id };
    });
    return plain(ends);
  });
  await world.start('r');
  expect(await world.value(world.engine(1).advance('r', { stay: true }))).toMatchObject([
    { id: 'first', at: 'none' },
    { id: 'left', at: 'failed', failure: { message: 'no slot' } },
    { id: 'right', at: 'none' },
    { id: 'last', at: 'failed and none' },
  ]);
});

test('a graph that cannot be walked is a sentence', async () => {
  using world = new World(sqliteMemory);
  const problem = { said: '' };
  world.define('w', async (ctx) => {
    const walk = walkGraph(ctx, [{ id: 'a', needs: ['b'] }], async () => null);
    problem.said = await walk.then(String, (error: unknown) => String(error));
    return null;
  });
  await world.start('r');
  await world.value(world.engine(1).advance('r', { stay: true }));
  expect(problem.said).toContain("step 'a' needs 'b', which does not exist");
});

test('the failure of a run names the step that failed without the digest in its key', async () => {
  using world = new World(sqliteMemory);
  world.define('w', () =>
    Promise.reject(new StepFailed('plan/take-over@6be4311f', failure('error', 'moved'))),
  );
  await world.start('r');
  expect(await world.now(world.engine(1).advance('r', { stay: true }))).toMatchObject({
    end: { failure: { message: 'plan/take-over: moved' } },
  });
});
