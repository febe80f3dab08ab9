import { expect, test } from 'vitest';
import { session, World } from '../../test/conformance/world.ts';
import { sqliteMemory } from '../../test/conformance/subjects.ts';
import { isObject, plain, type Json } from '../lib/json.ts';
import { stepIdOf } from '../model/key.ts';
import { unknownUsage } from '../model/usage.ts';
import type { TurnOutcome } from '../model/turn.ts';
import { sessionThroughLimits } from './through-limits.ts';

function ended(sessionId: string, change: Partial<TurnOutcome>): Json {
  return plain({
    outcome: 'SUCCESS',
    stop: 'finished',
    sessionId,
    text: '',
    usage: unknownUsage,
    resetAt: null,
    ...change,
  });
}

function limited(sessionId: string, resetAt: number | null): Json {
  return ended(sessionId, {
    outcome: 'LIMIT_PAUSED',
    stop: 'limit',
    conversation: `c-${sessionId}`,
    resetAt,
  });
}

/** The attempts that were launched, by step. */
function launched(world: World): readonly string[] {
  return world.host.launches.map((id) => stepIdOf(id.split('#')[1] ?? ''));
}

function attemptOf(world: World, step: string): string {
  return world.host.launches.find((id) => stepIdOf(id.split('#')[1] ?? '') === step) ?? '';
}

function define(world: World): void {
  world.define('w', (ctx) => sessionThroughLimits(ctx, 'work@1', session).then((turn) => turn.sessionId));
}

test('a usage limit is slept through without a slot, and the same conversation goes on', async () => {
  using world = new World(sqliteMemory);
  define(world);
  await world.start('r');
  const advanced = world.engine().advance('r', { stay: false });
  await world.quiet();
  world.host.done('r#work@1#1', limited('s1', world.clock.wall() + 3_600_000));
  await world.quiet();
  expect(world.data.slots()).toBe(0);
  await world.pass(3_500_000);
  expect(launched(world)).toEqual(['work']);
  await world.pass(110_000);
  expect(launched(world)).toEqual(['work', 'work/resume-1']);
  const { spec } = world.host.attempt(attemptOf(world, 'work/resume-1'));
  expect(isObject(spec) ? spec : {}).toMatchObject({ continues: 's1', conversation: 'c-s1', turn: 2 });
  world.host.done(attemptOf(world, 'work/resume-1'), ended('s2', {}));
  expect(await world.value(advanced)).toBe('s2');
});

test('the pause outlives whoever advances, and nothing that was paid runs again', async () => {
  using world = new World(sqliteMemory);
  define(world);
  await world.start('r');
  void world.engine(1).advance('r', { stay: false });
  await world.quiet();
  world.host.done('r#work@1#1', limited('s1', world.clock.wall() + 60_000));
  await world.quiet();
  world.kill(1);
  const advanced = world.engine(2).advance('r', { stay: false });
  await world.quiet();
  await world.pass(63_000);
  expect(launched(world)).toEqual(['work', 'work/resume-1']);
  world.host.done(attemptOf(world, 'work/resume-1'), ended('s2', {}));
  expect(await world.value(advanced)).toBe('s2');
});

test('a limit without a time is tried again after pauses that grow', async () => {
  using world = new World(sqliteMemory);
  define(world);
  await world.start('r');
  const advanced = world.engine().advance('r', { stay: false });
  await world.quiet();
  world.host.done('r#work@1#1', limited('s1', null));
  await world.quiet();
  await world.pass(60_000);
  world.host.done(attemptOf(world, 'work/resume-1'), limited('s2', null));
  await world.quiet();
  await world.pass(60_000);
  expect(launched(world)).toHaveLength(2);
  await world.pass(60_000);
  world.host.done(attemptOf(world, 'work/resume-2'), ended('s3', {}));
  expect(await world.value(advanced)).toBe('s3');
});
