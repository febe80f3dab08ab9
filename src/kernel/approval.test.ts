import { expect, test } from 'vitest';
import { World } from '../../test/conformance/world.ts';
import { sqliteMemory } from '../../test/conformance/subjects.ts';
import { plain } from '../lib/json.ts';
import { askApproval } from './approval.ts';

test.each([
  ['approve', 'approved', null],
  ['approve fine: as it is', 'approved', 'fine: as it is'],
  ['refuse use src/a.ts: one file; see http://x.y/z', 'refused', 'use src/a.ts: one file; see http://x.y/z'],
  ['refuse: too large', 'refused', 'too large'],
  ['no', 'refused', null],
  ['edit', 'edited', null],
  ['rather not', 'refused', 'rather not'],
])('the answer %j means %s, and its reason keeps every character', async (text, said, reason) => {
  using world = new World(sqliteMemory);
  world.define('w', async (ctx) => plain(await askApproval(ctx, 'q', { text: 'Is it right?' })));
  await world.start('r');
  await world.store.answer('r', 'q', { text, by: 'user:ada', at: 1 });
  await world.now(world.engine(1).advance('r', { stay: false }));
  expect((await world.data.queries.run('r'))?.state).toMatchObject({ value: { said, reason } });
});
