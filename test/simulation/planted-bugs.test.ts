import { expect, test } from 'vitest';
import { attemptId } from '../../src/model/key.ts';
import type { Machine } from './machine.ts';
import { simulate, type Planted } from './simulation.ts';

/** An invariant that no mistake can break says nothing. Each of these must be noticed within so many seeds. */
interface PlantedBug extends Planted {
  readonly name: string;
  readonly within: number;
  /** What the breach must be about. */
  readonly says: RegExp;
}

const bugs: readonly PlantedBug[] = [
  {
    name: 'adoption switched off: a restart takes live processes for lost',
    within: 20,
    says: /has two processes|without a slot|without a recorded intent/,
    host: (host) => ({
      launch: (attempt, began) => host.launch(attempt, began),
      adopt: () => Promise.resolve({ completion: { at: 'lost' }, session: null }),
      end: (attempt, reason) => host.end(attempt, reason),
    }),
  },
  {
    name: 'no attempt fence: a late result answers for the attempt that replaced it',
    within: 300,
    says: /a late result/,
    store: (store) => ({
      complete: (ref, ...rest) => {
        const row = store.db.get('select attempt from entries where run = ? and key = ?', ref.runId, ref.key);
        return store.complete({ ...ref, attempt: Number(row?.['attempt'] ?? ref.attempt) }, ...rest);
      },
    }),
  },
  {
    name: 'the intent is recorded after the launch',
    within: 60,
    says: /without a recorded intent/,
    store: (store, machine) => ({
      admit: (fence, candidates) => {
        for (const { key, attempt, session } of candidates.slice(0, 1))
          launchFirst(machine, fence.runId, key, attempt, session !== null);
        return store.admit(fence, candidates);
      },
    }),
  },
  {
    name: 'no epoch fence: a process that was stopped past its lease writes on',
    within: 300,
    says: /with the old claim/,
    store: (store) => ({
      put: (fence, ...rest) => {
        const row = store.db.get('select epoch from runs where id = ?', fence.runId);
        return store.put({ ...fence, epoch: Number(row?.['epoch'] ?? 0) }, ...rest);
      },
    }),
  },
  {
    name: 'the slot of a dropped attempt is given back while its process still lives',
    within: 100,
    says: /without a slot|has two processes|slots|may$/,
    store: (store) => ({
      drop: async (fence, keys) => {
        await store.drop(fence, keys);
        for (const key of keys)
          store.db.run('delete from launches where run = ? and key = ?', fence.runId, key);
      },
    }),
  },
  {
    name: 'results of local steps are forgotten by the next driver',
    within: 40,
    says: /ran again after its end/,
    store: (store) => ({
      claim: async (...args) => {
        const claim = await store.claim(...args);
        if (claim.at !== 'claimed') return claim;
        const entries = [...claim.image.entries].filter(([, { kind }]) => kind !== 'step');
        return { ...claim, image: { ...claim.image, entries: new Map(entries) } };
      },
    }),
  },
  {
    name: 'nobody is told of changes',
    within: 100,
    says: /never end/,
    store: () => ({ subscribe: () => ({ [Symbol.dispose]: () => undefined }) }),
  },
];

function launchFirst(machine: Machine, runId: string, key: string, attempt: number, session: boolean): void {
  const kind = session ? 'session' : 'task';
  const launched = { runId, key, attempt, kind, spec: null, sessionId: null, deadlineAt: null } as const;
  if (!machine.processes.has(attemptId(launched))) void machine.launch(launched);
}

test.each(bugs.map((bug) => [bug.name, bug] as const))('caught: %s', async (_name, bug) => {
  for (let seed = 1; seed <= bug.within; seed += 1) {
    const { breaches } = await simulate(seed, bug);
    const [first] = breaches;
    if (first === undefined) continue;
    process.stdout.write(`simulation: seed ${seed} of ${bug.within} caught "${bug.name}": ${first}\n`);
    expect(breaches.join('; ')).toMatch(bug.says);
    return;
  }
  throw new Error(`${bug.within} seeds did not notice`);
});
