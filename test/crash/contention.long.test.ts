import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { askPastGone } from '../../src/kernel/past-gone.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { currentProcess, isAlive } from '../../src/lib/process/identity.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { newRun } from '../rig/engine.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import type { ContenderTask } from './contender.ts';

interface Said {
  readonly name: string;
  readonly exposed?: number;
  readonly done?: number;
  readonly fenced?: number;
  readonly held?: number;
}

/** A contender in a process of its own, with what it said so far. */
class Running {
  readonly said: Said[] = [];
  readonly child: ChildProcessWithoutNullStreams;
  readonly over: Promise<unknown>;
  #problem = '';

  constructor(task: ContenderTask) {
    this.child = spawn(process.execPath, [repository('test/crash/contender.ts'), JSON.stringify(task)]);
    createInterface({ input: this.child.stdout }).on('line', (line) =>
      this.said.push(JSON.parse(line) as Said),
    );
    this.child.stderr.on('data', (data: Buffer) => {
      this.#problem += data.toString();
    });
    this.over = once(this.child, 'close');
  }

  async exposed(): Promise<number> {
    return until(() => this.said.find(({ exposed }) => exposed !== undefined)?.exposed ?? null);
  }

  async end(): Promise<Said> {
    await this.over;
    const last = this.said.at(-1);
    if (last?.done === undefined) throw new Error(`a contender ended early: ${this.#problem}`);
    return last;
  }

  [Symbol.dispose](): void {
    this.child.kill('SIGKILL');
  }
}

async function until<T>(look: () => T | null): Promise<T> {
  for (const end = Date.now() + hangLimitMs; ; ) {
    const found = look();
    if (found !== null) return found;
    if (Date.now() > end) throw new Error('it did not happen');
    await pause(2);
  }
}

/** The run that all want, in a real file. */
async function project(folder: string) {
  const path = join(folder, 'tutti.db');
  const store = new SqliteStore({ path, clock: realClock(), maxSessions: 1, isAlive });
  await store.start(newRun('r', 'w'));
  const rounds = () =>
    store.db
      .all(`select body from events where type = 'step.ended' order by seq`)
      .map((row) => (JSON.parse(String(row['body'])) as { key: string }).key);
  const owners = () =>
    store.db
      .all(`select body from entries order by cast(substr(key, 7) as integer)`)
      .map((row) => JSON.parse(String(row['body'])) as { by: string; epoch: number });
  return { path, store, rounds, owners, [Symbol.dispose]: () => store[Symbol.dispose]() };
}

const leaseMs = 300;

test('8 processes, 50 rounds each, on one run: one is stopped past its lease, two are killed; exactly one advances', {
  timeout: 300_000,
}, async () => {
  using folder = tempFolder();
  using shared = await project(folder.path);
  const names = Array.from({ length: 8 }, (_, n) => `p${n}`);
  const start = (name: string, rounds: number, exposeAt: number | null) =>
    new Running({ path: shared.path, name, rounds, leaseMs, exposeAt, onlyClaims: null });
  using stack = new DisposableStack();
  // The first one holds the claim before anybody else is there, and is stopped with it.
  const stopped = stack.use(start('p0', 50, 0));
  const staleEpoch = await stopped.exposed();
  stopped.child.kill('SIGSTOP');
  const running = names.slice(1).map((name, n) => stack.use(start(name, 50, n < 2 ? 3 * (n + 1) : null)));
  const killed = running.slice(0, 2);

  const replacements = killed.map(async (victim, n) => {
    await victim.exposed();
    victim.child.kill('SIGKILL');
    await victim.over;
    // Whoever is killed comes back as a new process and does the rest.
    const name = names[n + 1] ?? '';
    const own = shared.owners().filter(({ by }) => by === name).length;
    return stack.use(start(name, 50 - own, null)).end();
  });

  await until(() => (shared.rounds().length >= 30 ? true : null));
  stopped.child.stdin.write('go on\n');
  stopped.child.kill('SIGCONT');
  const ends = await Promise.all([
    stopped.end(),
    ...replacements,
    ...running.slice(2).map((one) => one.end()),
  ]);

  const rounds = shared.rounds();
  const owners = shared.owners();
  const epochs = owners.map(({ epoch }) => epoch);
  process.stdout.write(
    `contention: 8 processes x 50 rounds: ${rounds.length} rounds written, ${new Set(rounds).size} different, ` +
      `${Number(shared.store.db.get('select epoch from runs')?.['epoch'])} claims, ` +
      `${ends.reduce((sum, { held = 0 }) => sum + held, 0)} refused; stale process: ` +
      `${owners.filter(({ by, epoch }) => by === 'p0' && epoch === staleEpoch).length} rounds written after it was woken\n`,
  );
  expect(rounds).toEqual(Array.from({ length: 400 }, (_, n) => `round ${n}`));
  expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
  expect(owners.filter(({ by, epoch }) => by === 'p0' && epoch === staleEpoch)).toEqual([]);
  expect(ends[0]?.fenced).toBeGreaterThanOrEqual(1);
  for (const name of names)
    expect(
      owners.filter(({ by }) => by === name),
      name,
    ).toHaveLength(50);
});

test('a living holder with a fresh lease is never replaced, however many try', {
  timeout: 300_000,
}, async () => {
  using folder = tempFolder();
  using shared = await project(folder.path);
  const me = { id: 'holder', ...currentProcess() };
  const clock = realClock();
  const hold = () => ({ me, monotonic: clock.monotonic(), gone: [] });
  expect(await shared.store.claim('r', hold(), 60_000)).toMatchObject({ at: 'claimed' });
  const ends = await Promise.all(
    Array.from({ length: 7 }, (_, n) => {
      const task = { path: shared.path, name: `p${n}`, rounds: 0, leaseMs, exposeAt: null, onlyClaims: 50 };
      return new Running(task).end();
    }),
  );
  const refused = ends.reduce((sum, { held = 0 }) => sum + held, 0);
  process.stdout.write(`contention: a living holder: ${refused} of 350 claims refused\n`);
  expect(refused).toBe(350);
  expect(shared.store.db.get('select epoch from runs')).toMatchObject({ epoch: 1 });
});

test('a dead holder is replaced at once, with an hour of its lease left', { timeout: 300_000 }, async () => {
  using folder = tempFolder();
  using shared = await project(folder.path);
  const clock = realClock();
  const me = { id: 'next', ...currentProcess() };
  const claim = () =>
    askPastGone(isAlive, (gone) =>
      shared.store.claim('r', { me, monotonic: clock.monotonic(), gone }, 60_000),
    );
  const times = 5;
  for (let n = 0; n < times; n += 1) {
    const task = {
      path: shared.path,
      name: `p${n}`,
      rounds: 1,
      leaseMs: 3_600_000,
      exposeAt: 0,
      onlyClaims: null,
    };
    using victim = new Running(task);
    const epoch = await victim.exposed();
    expect(await claim()).toMatchObject({ at: 'held', by: { pid: victim.child.pid } });
    victim.child.kill('SIGKILL');
    await victim.over;
    const next = await claim();
    expect(next).toMatchObject({ at: 'claimed', image: { run: { epoch: epoch + 1 } } });
    await shared.store.park({ runId: 'r', epoch: epoch + 1 }, 0);
  }
  process.stdout.write(
    `contention: ${times} of ${times} dead holders replaced by the first claim after their death\n`,
  );
});
