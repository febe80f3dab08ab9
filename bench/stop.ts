import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { mountingMissing } from '../test/faults/small-disk.ts';
import { missingProgram } from '../test/rig/need-program.ts';
import { BrokenProject, type Fault, faults } from '../test/stop/broken-project.ts';
import type { Bench } from './bench.ts';
import { notMeasured, type Result, resultOf, type Sides } from './result.ts';

/** Each round breaks a project and takes seconds. */
const mostRounds = 3;
const limitMs = 10_000;

/** People stop a run because something is wrong, so it must not take longer then. */
export const stopBench: Bench = {
  name: 'stop',
  about: 'from tutti stop until every process of the run is gone, under six faults, against ten seconds',
  async run({ folder, rounds, progress }) {
    const results: Result[] = [];
    for (const fault of faults) {
      const sides: Sides = {
        bench: 'stop',
        name: fault,
        subject: `tutti stop, until every process is gone: ${fault}`,
        floor: 'ten seconds',
        unit: 'ms',
        bar: 1,
      };
      const missing = mountingMissing() ?? (fault === 'EIO' ? missingProgram('strace') : null);
      if (missing !== null) {
        results.push(notMeasured(sides, missing));
        continue;
      }
      const subjects: number[] = [];
      for (let round = 0; round < Math.min(rounds, mostRounds); round += 1) {
        subjects.push(await stopMs(join(folder, `${faults.indexOf(fault)}-${round}`), fault));
        progress();
      }
      results.push(resultOf(sides, { subjects, floors: subjects.map(() => limitMs) }));
    }
    return results;
  },
};

async function stopMs(path: string, fault: Fault): Promise<number> {
  mkdirSync(path);
  using project = new BrokenProject(realpathSync(path), 'run');
  await project.begin(fault === 'dead conductor' ? 'conductor' : 'foreground');
  await project.break(fault);
  const from = performance.now();
  const stop = project.start('stop', project.id);
  while (project.alive().length > 0) await pause(10);
  const took = performance.now() - from;
  await stop.ended;
  project.heal();
  return took;
}
