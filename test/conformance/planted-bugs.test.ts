import { expect, test } from 'vitest';
import type { Host } from '../../src/model/ports/host.ts';
import type { ProjectStore } from '../../src/model/ports/project-store.ts';
import type { Queries, Snapshot } from '../../src/model/ports/queries.ts';
import type { SqliteStore } from '../../src/store/sqlite-store.ts';
import { withMethods } from '../rig/cut.ts';
import { holder } from '../rig/engine.ts';
import { checks } from './store.testsuite.ts';
import { sqliteMemory } from './subjects.ts';
import type { Subject } from './world.ts';

/** A list of promises proves something only if it notices when they are broken. */
interface Bug {
  readonly name: string;
  readonly store?: (store: SqliteStore) => Partial<ProjectStore>;
  readonly queries?: (queries: Queries) => Partial<Queries>;
  readonly host?: (host: Host) => Host;
  /** At least these checks must fail; more may. */
  readonly caughtBy: readonly string[];
}

const bugs: readonly Bug[] = [
  {
    name: 'no attempt fence: any attempt may report',
    store: (store) => ({
      complete: (ref, ...rest) => store.complete({ ...ref, attempt: attemptOf(store, ref) }, ...rest),
    }),
    caughtBy: ['a late, a doubled and a forged result are refused'],
  },
  {
    name: 'no epoch fence: a stale driver writes on',
    store: (store) => ({
      put: (fence, ...rest) => store.put({ ...fence, epoch: epochOf(store, fence.runId) }, ...rest),
    }),
    caughtBy: [
      'a driver whose claim was taken over can write nothing at all',
      'a fenced driver leaves the other entries of its batch alone',
    ],
  },
  {
    name: 'no lease: whoever comes takes over',
    store: (store) => ({
      claim: (runId, facts, leaseMs) =>
        store.claim(runId, { ...facts, gone: [holder(1), holder(2)] }, leaseMs),
    }),
    caughtBy: ['a living holder with a fresh lease is never replaced'],
  },
  {
    name: 'a run is recorded without its holder',
    store: (store) => ({
      start: (run) => store.start(run),
      amend: (runId, next) => store.amend(runId, next),
      resume: (runId) => store.resume(runId),
      reopen: (runId, entries) => store.reopen(runId, entries),
    }),
    caughtBy: [
      'a run that is recorded with its holder can be claimed by no other living process',
      'a run that is amended, resumed or reopened with a lease belongs to that process',
    ],
  },
  {
    name: 'a command that is refused has changed the run',
    store: (store) => ({
      amend: async (runId, next, by) => {
        await store.amend(runId, next);
        return store.amend(runId, next, by);
      },
    }),
    caughtBy: [
      'a run that another living process holds is neither amended nor resumed nor reopened, and stays as it is',
    ],
  },
  {
    name: 'entries are reopened that changed since they were chosen',
    store: (store) => ({
      reopen: async (runId, entries, by) => {
        const now = store.db.all('select key, attempt from entries').map((row) => ({
          key: String(row['key']),
          attempt: Number(row['attempt']),
          at: 'done' as const,
        }));
        const chosen = new Set(entries.map(({ key }) => key));
        return store.reopen(
          runId,
          now.filter(({ key }) => chosen.has(key)),
          by,
        );
      },
    }),
    caughtBy: ['entries that are no longer as the caller saw them are not reopened'],
  },
  {
    name: 'a dead holder is waited for until its lease lapses',
    store: (store) => ({
      claim: (runId, facts, leaseMs) => store.claim(runId, { ...facts, gone: [] }, leaseMs),
    }),
    caughtBy: [
      'a dead holder is replaced at once',
      'a finished step is never run again, whoever advances the run',
    ],
  },
  {
    name: 'no step memo: a claim does not find what local steps left',
    store: (store) => ({
      claim: async (...args) => {
        const claim = await store.claim(...args);
        if (claim.at !== 'claimed') return claim;
        const entries = [...claim.image.entries].filter(([, { kind }]) => kind !== 'step');
        return { ...claim, image: { ...claim.image, entries: new Map(entries) } };
      },
    }),
    caughtBy: ['a finished step is never run again, whoever advances the run'],
  },
  {
    name: 'an answer that comes before its question is dropped',
    store: (store) => ({
      answer: (runId, key, answer) =>
        store.db.get('select 1 from entries where run = ? and key = ?', runId, key) === undefined
          ? Promise.resolve(true)
          : store.answer(runId, key, answer),
    }),
    caughtBy: [
      'an answer before the question is asked is kept',
      'an answer before the run exists is kept, and a second one is refused',
    ],
  },
  {
    name: 'the last answer wins',
    store: (store) => ({
      answer: (runId, key, answer) => {
        store.db.run(
          `update entries set state = 'open' where run = ? and key = ? and kind = 'ask'`,
          runId,
          key,
        );
        return store.answer(runId, key, answer);
      },
    }),
    caughtBy: ['an answer before the run exists is kept, and a second one is refused'],
  },
  {
    name: 'each look at a log asks its questions anew',
    store: (store) => ({
      askInSession: (id, request, question) => {
        store.db.run('delete from questions where session = ? and request = ?', id, request);
        return store.askInSession(id, request, question);
      },
    }),
    caughtBy: [
      'what a session asks is in the inbox once, however often it is told',
      'the first answer to a session counts, and an answered question is not asked again',
      'what was asked is still asked after a restart, and whoever adopts asks nothing twice',
    ],
  },
  {
    name: 'questions outlive the session that asked them',
    store: (store) => ({
      complete: async (...args) => {
        const accepted = await store.complete(...args);
        store.db.exec('update questions set closed = 0');
        return accepted;
      },
    }),
    caughtBy: ['with a session its open questions end, and it can ask no more'],
  },
  {
    name: 'an answer to a session wakes its run',
    store: (store) => ({
      answerInSession: async (...args) => {
        store.db.exec('update runs set change = change + 1');
        return store.answerInSession(...args);
      },
    }),
    caughtBy: ['a question of a session parks nothing, and its answer is no news for the run'],
  },
  {
    name: 'the loser of a race is not ended',
    host: (host) => ({ ...bound(host), end: () => undefined }),
    caughtBy: ['the loser of a race is ended, and its late result is nothing'],
  },
  {
    name: 'adoption switched off: what an earlier process launched counts as lost',
    host: (host) => ({
      ...bound(host),
      adopt: () => Promise.resolve({ completion: { at: 'lost' }, session: null }),
    }),
    caughtBy: ['live sessions are adopted: ten branches, a kill in the middle, ten launches'],
  },
  {
    name: 'a slot is not given back',
    store: (store) => ({
      complete: async (...args) => {
        const row = store.db.get(
          'select * from launches where run = ? and key = ?',
          args[0].runId,
          args[0].key,
        );
        const accepted = await store.complete(...args);
        const columns = row === undefined ? [] : Object.values(row);
        if (columns.length > 0) store.db.run('insert into launches values(?, ?, ?, ?, ?, ?, ?)', ...columns);
        return accepted;
      },
    }),
    caughtBy: ['a run never has more processes than slots, and always as many as it can'],
  },
  {
    name: 'a slot is given back with the drop, while the process still lives',
    store: (store) => ({
      drop: async (fence, keys) => {
        await store.drop(fence, keys);
        for (const key of keys)
          store.db.run('delete from launches where run = ? and key = ?', fence.runId, key);
      },
    }),
    caughtBy: [
      'one key never has two processes: the next attempt waits until the dropped one is gone',
      'a crash between the drop and the end of the process: the next driver ends it, task or session',
    ],
  },
  {
    name: 'no quota: admission looks at this run only',
    store: (store) => ({
      admit: async (fence, candidates) => {
        store.db.exec(`update launches set kind = 'task'`);
        return store.admit(fence, candidates);
      },
    }),
    caughtBy: ['the session quota holds over all runs and processes, and a freed place wakes whoever waits'],
  },
  {
    name: 'a slot is counted when a session is created, and not kept for it',
    store: (store) => ({
      startSession: async (request) => {
        const answer = await store.startSession(request);
        store.db.exec('delete from launches where attempt = 0');
        return answer;
      },
    }),
    caughtBy: [
      'of twenty who ask at once exactly as many get a slot as there are, with ids of their own',
      'a promised slot goes to its own session, and is counted once',
    ],
  },
  {
    name: 'the budget forgets what was launched',
    store: (store) => ({
      admit: (fence, candidates) => {
        store.db.exec('update budgets set launches = 0');
        return store.admit(fence, candidates);
      },
    }),
    caughtBy: ['launches: not one more than the budget has, also over a restart'],
  },
  {
    name: 'parking overlooks news',
    store: (store) => ({
      park: async (fence) => {
        const { change } = await store.news(fence, 0);
        return store.park(fence, change);
      },
    }),
    caughtBy: ['an answer that comes while the run is being parked is not overlooked'],
  },
  {
    name: 'emitted events are written with every replay',
    store: (store) => ({
      put: async (fence, entry, events = []) => {
        store.db.exec('update events set emitted = null');
        await store.put(fence, entry, events);
      },
      open: async (fence, entry, events = []) => {
        store.db.exec('update events set emitted = null');
        return store.open(fence, entry, events);
      },
      finish: async (fence, end, events = []) => {
        store.db.exec('update events set emitted = null');
        await store.finish(fence, end, events);
      },
    }),
    caughtBy: ['what was emitted is told once, however often the workflow starts again from the top'],
  },
  {
    name: 'a stop does not reach children',
    store: (store) => ({
      cancel: async (runId) => {
        const done = await store.cancel(runId);
        store.db.run('update runs set cancelled = 0 where parent_run is not null');
        return done;
      },
      drop: async (fence, keys) => {
        await store.drop(fence, keys);
        store.db.run('update runs set cancelled = 0 where parent_run is not null');
      },
    }),
    caughtBy: ['stopping a run stops everything below it, down to the processes'],
  },
  {
    name: 'a plan is written whatever version it has',
    store: (store) => ({
      writePlan: async (name, _, write) =>
        store.writePlan(name, (await store.readPlan(name))?.version ?? 0, write),
    }),
    caughtBy: ['a write that came too late changes neither task nor audit'],
  },
  {
    name: 'an event of the audit is given to two callers',
    store: (store) => ({
      takeAudit: async (limit) => {
        const taken = await store.takeAudit(limit);
        store.db.exec('delete from cursors');
        return taken;
      },
    }),
    caughtBy: ['each event of the audit is given to one caller, and all of them on request'],
  },
  {
    name: 'a second conductor takes over from a living one',
    store: (store) => ({
      takeConductor: async (facts, leaseMs) => {
        store.db.exec(`delete from holders where id = 'conductor'`);
        return store.takeConductor(facts, leaseMs);
      },
    }),
    caughtBy: ['a conductor renews its lease, and is replaced when it lapsed, left, or is gone'],
  },
  {
    name: 'a snapshot shows each state as it comes',
    queries: (queries) => ({
      snapshot: async () =>
        withMethods(queries, { [Symbol.dispose]: () => undefined } as Partial<Queries>) as Snapshot,
    }),
    caughtBy: [
      'a snapshot shows one state, whatever is written meanwhile',
      'a snapshot keeps no writer waiting, and is gone when it is disposed of',
    ],
  },
  {
    name: 'a key may be as long as SQLite accepts',
    store: (store) => ({
      put: (fence, entry, events) =>
        store.put(fence, { ...entry, key: entry.key.slice(0, 300).replaceAll('\0', '') }, events),
    }),
    caughtBy: ['a longer key, and one with a NUL character, is refused and leaves nothing'],
  },
  {
    name: 'nobody is told of changes',
    store: () => ({ subscribe: () => ({ [Symbol.dispose]: () => undefined }) }),
    caughtBy: ['somebody else’s change wakes an engine, also over another connection'],
  },
];

function attemptOf(
  store: SqliteStore,
  { runId, key }: { readonly runId: string; readonly key: string },
): number {
  return Number(
    store.db.get('select attempt from entries where run = ? and key = ?', runId, key)?.['attempt'] ?? 1,
  );
}

function epochOf(store: SqliteStore, runId: string): number {
  return Number(store.db.get('select epoch from runs where id = ?', runId)?.['epoch'] ?? 0);
}

function bound(host: Host): Host {
  return { launch: host.launch.bind(host), adopt: host.adopt.bind(host), end: host.end.bind(host) };
}

function planted(bug: Bug): Subject {
  return {
    name: bug.name,
    open: () => {
      const data = sqliteMemory.open();
      return {
        connect: (connection) => {
          const store = data.connect(connection) as SqliteStore;
          return withMethods(store, bug.store?.(store) ?? {});
        },
        get queries() {
          return withMethods(data.queries, bug.queries?.(data.queries) ?? {});
        },
        slots: () => data.slots(),
        ...(bug.host === undefined ? {} : { hostOf: bug.host }),
        [Symbol.dispose]: () => {
          data[Symbol.dispose]();
        },
      };
    },
  };
}

test.each(bugs.map((bug) => [bug.name, bug] as const))('caught: %s', async (_name, bug) => {
  for (const promise of bug.caughtBy) {
    const found = checks.find((one) => one.promise === promise);
    expect(found, promise).toBeDefined();
    await found?.keeps(sqliteMemory);
    await expect(found?.keeps(planted(bug)), promise).rejects.toThrow();
  }
});
