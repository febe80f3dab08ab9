import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Host } from '../src/model/ports/host.ts';
import type { Bench, BenchParts } from './bench.ts';
import { layered } from './graphs.ts';
import { interleave, timed } from './interleave.ts';
import { resultOf, type Sides } from './result.ts';
import { engineOn, flowRun, storeAt } from './rig.ts';

const [many, few] = [10_000, 1000];

/** A run that was interrupted at its very end: everything is recorded, and must be found again before it can go on. */
export const resumeBench: Bench = {
  name: 'resume',
  about: 'resuming a run with 10,000 finished steps, against reading its rows; and against 1,000',
  async run(parts) {
    using large = await finished(parts, many);
    using small = await finished(parts, few);
    const versusRows: Sides = {
      bench: 'resume',
      name: 'rows',
      subject: `claim and drive of a run with ${many} finished steps to its end`,
      floor: 'one select of its entries, bodies parsed',
      unit: 'ms',
      bar: 5,
    };
    const linear: Sides = {
      bench: 'resume',
      name: 'linear',
      subject: `the same with ${many} finished steps`,
      floor: `the same with ${few}`,
      unit: 'ms',
      bar: 12,
    };
    const { rounds, progress } = parts;
    return [
      resultOf(
        versusRows,
        await interleave({ subject: () => large.resume(), floor: () => large.read() }, rounds, progress),
      ),
      resultOf(
        linear,
        await interleave({ subject: () => large.resume(), floor: () => small.resume() }, rounds, progress),
      ),
    ];
  },
};

interface FinishedRun extends Disposable {
  resume(): Promise<number>;
  read(): Promise<number>;
}

/** Every step done by the real engine, then put back to the moment before the run's end was recorded. */
async function finished({ folder }: BenchParts, count: number): Promise<FinishedRun> {
  const path = join(folder, `resume-${count}.db`);
  const store = storeAt(path);
  await store.start(flowRun('bench', layered(count, 100, 1), 100));
  {
    using engine = engineOn(store, instantHost);
    await engine.drive('bench', { stay: false });
  }
  const resume = async (): Promise<number> => {
    store.db.exec(
      `update runs set state = 'running', outcome = null, value = null, failure = null, ended_at = null`,
    );
    using engine = engineOn(store, noHost);
    return await timed(async () => {
      const { at } = await engine.drive('bench', { stay: false });
      if (at !== 'ended') throw new Error(`the run is ${at}`);
    });
  };
  const read = async (): Promise<number> => {
    using raw = new DatabaseSync(path);
    return await timed(() => {
      const rows = raw.prepare('select * from entries where run = ?').all('bench');
      const bodies = rows.map(({ body }): unknown => JSON.parse(String(body)));
      if (bodies.length !== count) throw new Error(`${bodies.length} of ${count} entries`);
    });
  };
  return {
    resume,
    read,
    [Symbol.dispose]: () => {
      store[Symbol.dispose]();
    },
  };
}

/** What a finished no-op command leaves behind. */
const instantHost: Host = {
  launch: async ({ key }) => ({
    completion: {
      at: 'done',
      outcome: 'SUCCESS',
      value: {
        exitCode: 0,
        signal: null,
        timedOut: false,
        outputTail: '',
        lastLine: '',
        outputDigest: 'e3b0c44298fc1c14',
        durationMs: 12,
        log: `/home/user/project/.tutti/runs/bench/tasks/${key}/output.log`,
      },
    },
    session: null,
  }),
  adopt: () => Promise.reject(new Error('nothing is launched')),
  end: () => undefined,
};

/** Nothing may run twice. */
const noHost: Host = {
  ...instantHost,
  launch: ({ key }) => Promise.reject(new Error(`${key} was finished, and is launched again`)),
};
