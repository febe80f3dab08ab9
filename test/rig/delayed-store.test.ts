import { expect, test } from 'vitest';
import type { ProjectStore } from '../../src/model/ports/project-store.ts';
import type { Queries } from '../../src/model/ports/queries.ts';
import { SqliteQueries } from '../../src/store/queries.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { delayed, randomDelay } from './delayed-store.ts';
import { newRun } from './engine.ts';
import { Random } from '../simulation/random.ts';
import { VirtualClock } from './virtual-clock.ts';

/** A store in memory whose transitions happen at once, as they did before there were ports. */
function atOnce(): SqliteStore {
  const schedule = (flush: () => void): void => {
    flush();
  };
  const parts = { path: ':memory:', clock: new VirtualClock(), maxSessions: 1, isAlive: () => true };
  return new SqliteStore({ ...parts, schedule });
}

function delay() {
  const random = new Random(1);
  return randomDelay(() => random.next());
}

interface Parts {
  readonly store: ProjectStore;
  readonly queries: Queries;
}

async function startAndRead({ store, queries }: Parts): Promise<string | undefined> {
  await store.start(newRun('r', 'w'));
  return (await queries.run('r'))?.id;
}

/** The same with a planted bug: nobody waits for the run to be recorded. */
async function startAndReadTooSoon({ store, queries }: Parts): Promise<string | undefined> {
  void store.start(newRun('r', 'w'));
  return (await queries.run('r'))?.id;
}

/** What a caller finds, on ten delayed stores that differ by chance only. */
async function tenTimes(caller: (parts: Parts) => Promise<string | undefined>) {
  const found: (string | undefined)[] = [];
  for (let seed = 1; seed <= 10; seed += 1) {
    using sqlite = atOnce();
    const random = new Random(seed);
    const wait = randomDelay(() => random.next());
    const store = delayed(sqlite, wait);
    found.push(await caller({ store, queries: delayed(new SqliteQueries(sqlite.db), wait) }));
    await store.isInPlace();
  }
  return found;
}

test('a missing await goes unnoticed on a store that works at once, and is caught on the delayed one', async () => {
  using hidden = atOnce();
  const parts = { store: hidden, queries: new SqliteQueries(hidden.db) };
  expect(await startAndReadTooSoon(parts)).toBe('r');
  expect(await tenTimes(startAndReadTooSoon)).toContain(undefined);
  // The control: with the await, the same finds its run each time.
  expect(new Set(await tenTimes(startAndRead))).toEqual(new Set(['r']));
});

test('a function does not pass, in an argument or in a result', async () => {
  const target = {
    takes: async (given: object) => Object.keys(given).length,
    returns: async () => ({ later: () => 1 }),
  };
  const away = delayed(target, delay());
  await expect(away.takes({ isAlive: () => true })).rejects.toThrow(/could not be cloned/);
  await expect(away.returns()).rejects.toThrow(/could not be cloned/);
  expect(await away.takes({ gone: [] })).toBe(1);
});

test('what the caller changes after a call does not reach the store', async () => {
  const seen: unknown[] = [];
  const away = delayed({ takes: async (list: readonly number[]) => void seen.push(list) }, delay());
  const list = [1];
  const call = away.takes(list);
  list.push(2);
  await call;
  expect(seen).toEqual([[1]]);
});

test('calls have their effects and are answered in the order in which they were made', async () => {
  const order: string[] = [];
  const away = delayed({ act: async (name: string) => void order.push(name) }, delay());
  const calls: Promise<unknown>[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    calls.push(away.act(name).then(() => order.push(`${name} answered`)));
    if (name === 'c')
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
  }
  await Promise.all(calls);
  const effects = order.filter((word) => !word.includes('answered'));
  expect(effects).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(order.filter((word) => word.includes('answered'))).toEqual(
    effects.map((word) => `${word} answered`),
  );
});
