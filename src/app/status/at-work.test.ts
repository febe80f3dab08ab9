import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { currentProcess } from '../../lib/process/identity.ts';
import { system } from '../../lib/process/system.ts';
import type { Entry } from '../../model/entry.ts';
import type { StopWish } from '../../model/ports/stop-wishes.ts';
import type { Run } from '../../model/run.ts';
import { pathsOf } from '../project.ts';
import { findAtWork } from './at-work.ts';
import { advancingHolder, findSilentHolder } from './living-holder.ts';

const holder = { ...currentProcess(), id: 'h1' };

function run(id: string, parent: Run['parent'] = null): Run {
  const rest = { epoch: 1, change: 0, cancelled: false, stops: 0, stoppedBy: null, depth: 0, traceId: 't' };
  const times = { concurrency: 3, startedAt: 1, endedAt: null };
  return { id, workflow: 'flow', state: { at: 'running' }, rootId: 'r', parent, ...rest, ...times };
}

const runs = [run('r'), run('child', { runId: 'r', key: 'a@1' })];

/** A living process holds the run, with a lease until 100; the launcher of its only entry is gone, and a wish is kept. */
function places(root: string, wish: StopWish | null, now = 0) {
  return {
    paths: pathsOf(root),
    processes: system(),
    wishes: { of: (id: string) => (id === 'r' ? wish : null) },
    queries: {
      holder: async (id: string) => (id === 'r' ? holder : null),
      run: async (id: string) => runs.find((one) => one.id === id) ?? null,
      lease: async () => ({ holder, until: 100 }),
    },
    clock: { monotonic: () => now },
  };
}

const launched: Entry = {
  key: 'a@1',
  kind: 'task',
  attempt: 1,
  state: { at: 'launched' },
  losses: 0,
  spec: null,
  sessionId: null,
  change: 0,
  priority: 0,
  dueAt: null,
  openedAt: 1,
  endedAt: null,
};

test.for([
  [null, 1],
  ['halt', 1],
  ['stop', 0],
] as const)(
  'with the wish %s, which the database has not taken, %s parts of a held run are at work',
  async ([wish, count]) => {
    using folder = tempFolder();
    const facts = places(folder.path, wish);
    expect((await findAtWork(facts, 'r', [launched])).size).toBe(count);
    for (const each of runs) expect(await advancingHolder(facts, each)).toEqual(count === 0 ? null : holder);
  },
);

test('the process that stops its own run is still the one that advances it', async () => {
  using folder = tempFolder();
  const facts = { ...places(folder.path, 'stop'), me: holder };
  for (const each of runs) expect(await advancingHolder(facts, each)).toEqual(holder);
});

test('a process that lives and has not renewed its lease advances no run, unless it is this one', async () => {
  using folder = tempFolder();
  const [fresh, lapsed] = [places(folder.path, null, 99), places(folder.path, null, 100)];
  for (const each of runs) {
    expect(await findSilentHolder(fresh, each)).toBeNull();
    expect(await findSilentHolder(lapsed, each)).toEqual({ pid: holder.pid, known: 'lapsed' });
    expect(await advancingHolder(lapsed, each)).toBeNull();
    expect(await findSilentHolder({ ...lapsed, me: holder }, each)).toBeNull();
    expect(await advancingHolder({ ...lapsed, me: holder }, each)).toEqual(holder);
  }
});

test('a suspended process advances no run, however fresh its lease is', async () => {
  using folder = tempFolder();
  const facts = places(folder.path, null, 99);
  const one = (pid: number | 'self') => {
    const row = facts.processes.one(pid);
    return row === null ? null : { ...row, state: 'T' };
  };
  const suspended = { ...facts, processes: { ...facts.processes, one } };
  for (const each of runs) {
    const silent = await findSilentHolder(suspended, each);
    expect(silent).toEqual({ pid: holder.pid, known: 'suspended' });
    expect(await advancingHolder(suspended, each)).toBeNull();
  }
});
