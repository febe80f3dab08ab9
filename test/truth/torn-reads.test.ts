import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { composeStore } from '../../src/app/store-composition.ts';
import { openTutti } from '../../src/app/tutti.ts';
import { blankPlan } from '../../src/model/plan/plan-record.ts';
import type { Queries, Snapshot } from '../../src/model/ports/queries.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { cli } from '../cli/rig.ts';
import { newSession } from '../conformance/world.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { withMethods } from '../rig/cut.ts';
import { holder, newRun } from '../rig/engine.ts';
import { tempFolder, type TempFolder } from '../rig/temp-folder.ts';

const commands: readonly (readonly string[])[] = [
  ['status', 'r', '--json'],
  ['runs', '--json'],
  ['session', 'list', '--json'],
  ['inbox', '--json'],
  ['plan', 'status', '--plan', 'p', '--json'],
  ['task', 'list', '--plan', 'p', '--json'],
];

const steps = ['one', 'two', 'three'];
const flow = {
  name: 'f',
  steps: steps.map((id) => ({
    id,
    needs: [],
    work: { kind: 'command', argv: ['true'] },
    cwd: '.',
    inputs: [],
    gates: [],
    retryMax: 0,
    timeoutMs: null,
    required: true,
    estimateMs: null,
  })),
};
const done = { at: 'done', outcome: 'SUCCESS', value: null } as const;

/** A project with a run, a question, a session and a plan, all of which another process changes in one go. */
class Changing implements Disposable {
  readonly #folder: TempFolder = tempFolder();
  readonly #store: SqliteStore;
  #epoch = 0;

  private constructor() {
    const opened = openTutti({ folder: this.#folder.path, env: this.env, create: true });
    if (!opened.ok) throw new Error(opened.error.message);
    using tutti = opened.value;
    const { database: path } = tutti.paths;
    this.#store = new SqliteStore({ path, clock: realClock(), maxSessions: 4, isAlive: () => true });
  }

  static async made(): Promise<Changing> {
    const changing = new Changing();
    await changing.#begin();
    return changing;
  }

  get folder(): string {
    return this.#folder.path;
  }

  get env() {
    return { PATH: process.env['PATH'], HOME: this.#folder.path };
  }

  async #begin(): Promise<void> {
    const store = this.#store;
    const input = { flow, projectDir: this.folder, agents: {}, inputDigests: {}, sessionTimeoutMs: null };
    await store.start(newRun('r', 'flow', input));
    const claim = await store.claim('r', { me: holder(1), monotonic: 0, gone: [] }, 1000);
    this.#epoch = claim.at === 'claimed' ? claim.image.run.epoch : 0;
    await this.#put('one@1');
    await this.#ask('q');
    await this.#session('first');
    const plan = blankPlan({ name: 'p', targetDir: this.folder, projectType: 'new', stack: null, at: 1 });
    await store.createPlan(plan);
    const tasks = goodPlan({ tasks: 3 }).tasks.map((task) => ({ task, state: { at: 'pending' } as const }));
    await store.writePlan('p', (await store.readPlan('p'))?.version ?? 0, { tasks });
    writeFileSync(join(this.folder, 'SPEC.md'), 'a specification');
  }

  /** Everything at once, as far as a reader that pins its state can tell. */
  async change(): Promise<void> {
    const store = this.#store;
    await this.#put('two@1');
    await store.answer('r', 'q', { text: 'yes', by: 'me', at: 1 });
    await this.#ask('q2');
    await store.halt('r', 'another process said so');
    await store.start(newRun('s', 'flow', null));
    await this.#session('second');
    const now = await store.readPlan('p');
    if (now === null) throw new Error('there is no plan');
    await store.writePlan('p', now.version, {
      plan: { ...now.plan, phase: 'physical', halt: { reason: 'x', requestedAt: 1, confirmedAt: null } },
      task: { id: 'T001', state: { at: 'running', by: 'r', attempt: 1, since: 1, snapshot: null } },
    });
  }

  async #put(key: string): Promise<void> {
    await this.#store.put({ runId: 'r', epoch: this.#epoch }, { key, kind: 'step', attempt: 1, state: done });
  }

  async #ask(key: string): Promise<void> {
    const fence = { runId: 'r', epoch: this.#epoch };
    await this.#store.open(fence, { key, kind: 'ask', spec: { text: `${key}?` }, priority: 0 });
  }

  async #session(baseId: string): Promise<void> {
    const { id: _, ...run } = newRun('', 'session');
    await this.#store.startSession({ run, key: 's', session: { ...newSession, baseId }, slot: 'queue' });
  }

  [Symbol.dispose](): void {
    this.#store[Symbol.dispose]();
    this.#folder[Symbol.dispose]();
  }
}

/** Calls `before` ahead of each read. */
function watched<T extends object>(target: T, before: () => Promise<void>, pins: boolean): T {
  return new Proxy(target, {
    get(_, name): unknown {
      const found: unknown = Reflect.get(target, name, target);
      if (typeof found === 'object' && found !== null) return watched(found, before, pins);
      if (typeof found !== 'function') return found;
      if (typeof name === 'symbol') return found.bind(target) as unknown;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        await before();
        if (name !== 'snapshot') return Reflect.apply(found, target, args) as unknown;
        // The planted bug: what should be one state is whatever is there.
        if (!pins)
          return watched(withMethods<object>(target, { [Symbol.dispose]: () => undefined }), before, pins);
        return watched((await Reflect.apply(found, target, args)) as Snapshot, before, pins);
      };
    },
  });
}

/** What a command prints if everything changes ahead of its n-th read; null: it has no such read. */
async function shown(
  command: readonly string[],
  n: number | 'before' | 'never',
  pins = true,
): Promise<string | null> {
  using changing = await Changing.made();
  if (n === 'before') await changing.change();
  let reads = 0;
  const queries = (target: Queries): Queries =>
    watched(
      target,
      async () => {
        reads += 1;
        if (reads === n) await changing.change();
      },
      pins,
    );
  composeStore((opened) => ({
    store: opened.store,
    queries: queries(opened.queries),
    [Symbol.dispose]: () => {
      opened[Symbol.dispose]();
    },
  }));
  const { folder, env } = changing;
  const end = await cli({ folder, env: { ...env, TUTTI_DEBUG: '1' }, trusts: true }, ...command);
  if (end.code !== 0) throw new Error(`${command.join(' ')}: ${end.err}`);
  if (typeof n === 'number' && reads < n) return null;
  return plainTimes(end.out, folder);
}

/** Without what differs between two projects that are the same. */
function plainTimes(text: string, folder: string): string {
  return text
    .replaceAll(folder, 'FOLDER')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/"(\w*(?:seconds|_ms|age|elapsed)\w*)":\s*[\d.]+/g, '"$1":0');
}

/** The reads ahead of which a change makes the command print what was never the state of the project. */
async function tornReads(command: readonly string[], pins = true): Promise<readonly number[]> {
  const states = new Set([await shown(command, 'never', pins), await shown(command, 'before', pins)]);
  expect(states.size, command.join(' ')).toBe(2);
  const torn: number[] = [];
  for (let n = 1; ; n += 1) {
    const text = await shown(command, n, pins);
    if (text === null) return torn;
    if (!states.has(text)) torn.push(n);
  }
}

afterEach(() => {
  composeStore((opened) => opened);
});

test.each(commands.map((command) => [command.join(' '), command] as const))(
  'tutti %s shows one state, whenever another process changes everything',
  async (_, command) => {
    expect(await tornReads(command)).toEqual([]);
  },
);

test('the search can fail: commands that pin no state mix two of them', async () => {
  expect(await tornReads(['status', 'r', '--json'], false)).not.toEqual([]);
});
