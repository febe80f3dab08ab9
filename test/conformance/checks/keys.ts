import { expect } from 'vitest';
import type { ProjectStore } from '../../../src/model/ports/project-store.ts';
import type { Fence } from '../../../src/model/ports/store.ts';
import { newRun } from '../../rig/engine.ts';
import { check, newSession, World, type Check } from '../world.ts';

const done = { at: 'done', outcome: 'SUCCESS', value: null } as const;

/** Every way by which a key comes into the store. */
function bringIn(store: ProjectStore, fence: Fence, key: string): readonly (() => Promise<unknown>)[] {
  const { id: _, ...run } = newRun('', 'w');
  const emitted = [{ key, name: 'n', data: null }];
  return [
    () => store.put(fence, { key, kind: 'step', attempt: 1, state: done }),
    () => store.open(fence, { key, kind: 'ask', spec: { text: '?' }, priority: 0 }),
    () => store.put(fence, { key: `with ${key.length}`, kind: 'step', attempt: 1, state: done }, emitted),
    () => store.answer('r', key, { text: 'yes', by: 'me', at: 1 }),
    () => store.startSession({ run, key, session: newSession, slot: 'queue' }),
  ];
}

export const keys: readonly Check[] = [
  check('a key of 1024 bytes is kept as it is', async (subject) => {
    for (const key of ['k'.repeat(1024), 'é'.repeat(512)]) {
      using world = new World(subject);
      await world.start('r');
      const { run } = await world.claim('r');
      const [put] = bringIn(world.store, { runId: 'r', epoch: run.epoch }, key);
      await put?.();
      expect((await world.data.queries.entry('r', key))?.state).toEqual(done);
    }
  }),

  check('a longer key, and one with a NUL character, is refused and leaves nothing', async (subject) => {
    for (const [key, why] of [
      ['k'.repeat(1025), /^key 'k{40}…' has 1025 bytes, and a key has at most 1024$/],
      ['é'.repeat(513), /has 1026 bytes/],
      ['a\0b', /^key 'a\\u0000b' contains a NUL character$/],
    ] as const) {
      using world = new World(subject);
      await world.start('r');
      const { run } = await world.claim('r');
      for (const bring of bringIn(world.store, { runId: 'r', epoch: run.epoch }, key))
        await expect(bring()).rejects.toThrow(why);
      expect(await world.data.queries.entries('r')).toEqual([]);
      expect(await world.data.queries.runs(null)).toHaveLength(1);
      expect(await world.events()).toEqual(['run.started']);
    }
  }),

  check('a workflow that uses such a key fails with the rule it broke', async (subject) => {
    using world = new World(subject);
    const { advanced } = await world.run((ctx) => ctx.step('k'.repeat(1025), () => null));
    expect(await world.now(advanced)).toMatchObject({
      end: { outcome: 'FAILURE', failure: { message: expect.stringMatching(/at most 1024/) as string } },
    });
  }),
];
