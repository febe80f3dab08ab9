import { closeSync, fdatasyncSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SqliteStore } from '../src/store/sqlite-store.ts';
import type { Bench } from './bench.ts';
import { interleave } from './interleave.ts';
import { resultOf } from './result.ts';
import { claimed, newRun, storeAt } from './rig.ts';
import { median } from './spread.ts';

/** In one round: so many blocks of each side in turn, because the disk's mood changes within a second. */
const blocks = 20;
const perBlock = 5;

/** What one durable step of a run costs, next to the least that durability costs. */
export const transitionBench: Bench = {
  name: 'transition',
  about: 'one durable transition, against one 4 KB overwrite with fdatasync',
  async run({ folder, rounds, progress }) {
    using store = storeAt(join(folder, 'transition.db'));
    await store.start(newRun('bench', 'flow', null, 8));
    const fence = await claimed(store, 'bench');
    using file = overwrittenFile(join(folder, 'floor'));
    let puts = 0;
    const put = () => {
      puts += 1;
      return oneMore(store, fence, puts);
    };
    const sync = () => {
      file.overwrite();
    };
    const pair = { subject: () => p50Us(put), floor: () => p50Us(sync) };
    const sides = {
      bench: 'transition',
      name: 'put',
      subject: 'store.put of a small result, p50',
      floor: '4 KB overwrite + fdatasync, p50',
      unit: 'µs',
      bar: 3,
    };
    const many = await interleave(pair, rounds * blocks, () => undefined);
    progress();
    return [resultOf(sides, { subjects: byRound(many.subjects), floors: byRound(many.floors) })];
  },
};

function oneMore(store: SqliteStore, fence: { runId: string; epoch: number }, n: number): Promise<void> {
  const state = { at: 'done', outcome: 'SUCCESS', value: { exitCode: 0, lastLine: 'done' } } as const;
  return store.put(fence, { key: `step-${n}@0123456789abcdef`, kind: 'step', attempt: 1, state });
}

async function p50Us(operation: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < perBlock; n += 1) {
    const start = performance.now();
    await operation();
    times.push((performance.now() - start) * 1000);
  }
  return median(times);
}

function byRound(values: readonly number[]): readonly number[] {
  return Array.from({ length: values.length / blocks }, (_, round) =>
    median(values.slice(round * blocks, (round + 1) * blocks)),
  );
}

function overwrittenFile(path: string): Disposable & { overwrite(): void } {
  const descriptor = openSync(path, 'w');
  const page = Buffer.alloc(4096, 'x');
  writeSync(descriptor, page, 0, page.length, 0);
  fsyncSync(descriptor);
  return {
    overwrite: () => {
      writeSync(descriptor, page, 0, page.length, 0);
      fdatasyncSync(descriptor);
    },
    [Symbol.dispose]: () => {
      closeSync(descriptor);
    },
  };
}
