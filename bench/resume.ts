import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Host } from '../src/model/ports/host.ts';
import type { Bench, BenchParts } from './bench.ts';
import { layered } from './graphs.ts';
import { interleave } from './interleave.ts';
import { resultOf, type Result, type Sides } from './result.ts';
import { engineOn, flowRun, storeAt } from './rig.ts';

const [many, few] = [10_000, 1000];
const program = fileURLToPath(new URL('./resume-process.ts', import.meta.url));

/** A run that was interrupted at its very end: everything is recorded, and must be found again before it can go on. */
export const resumeBench: Bench = {
  name: 'resume',
  about: 'resuming a run with 10,000 finished steps, against reading its rows; and against 1,000',
  async run(parts) {
    const large = await finished(parts, many);
    const small = await finished(parts, few);
    const versusRows: Sides = {
      bench: 'resume',
      name: 'rows',
      subject: `claim and advance of a run with ${many} finished steps to its end, in a new process`,
      floor: 'one select of its entries with their bodies parsed, in a new process',
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
    const pairs = [
      { sides: versusRows, floor: () => measured('read', large) },
      { sides: linear, floor: () => measured('resume', small) },
    ];
    const results: Result[] = [];
    for (const { sides, floor } of pairs) {
      const pair = { subject: () => measured('resume', large), floor };
      results.push(resultOf(sides, await interleave(pair, parts.rounds, parts.progress)));
    }
    return results;
  },
};

function measured(what: 'resume' | 'read', path: string): number {
  return Number(execFileSync(process.execPath, [program, what, path], { encoding: 'utf8' }));
}

/** Every step done by the real engine. Gives the database's path. */
async function finished({ folder }: BenchParts, count: number): Promise<string> {
  const path = join(folder, `resume-${count}.db`);
  using store = storeAt(path);
  await store.start(flowRun('bench', layered(count, 100, 1), 100));
  using engine = engineOn(store, instantHost);
  await engine.advance('bench', { stay: false });
  const [ended] = store.db.lists(`select count(*) from entries where state = 'done'`);
  if (ended?.[0] !== count) throw new Error(`${String(ended?.[0])} of ${count} steps are done`);
  return path;
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
  adopt: () => Promise.reject(new Error('nothing was launched before')),
  end: () => undefined,
};
