import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Bench } from './bench.ts';
import { driverBench } from './driver.ts';
import { load, machine } from './machine.ts';
import { makespanBench } from './makespan.ts';
import { makeSpreadFolder } from './place.ts';
import { planStatusBench } from './plan-status.ts';
import { plansBench } from './plans.ts';
import { tableOf, type Report } from './report.ts';
import type { Result } from './result.ts';
import { resumeBench } from './resume.ts';
import { runsBench } from './runs.ts';
import { sameWorkBench } from './same-work.ts';
import { sessionsBench } from './sessions.ts';
import { startUpBench } from './start-up.ts';
import { stepsBench } from './steps.ts';
import { stopBench } from './stop.ts';
import { transitionBench } from './transition.ts';

const benches: readonly Bench[] = [
  stepsBench,
  transitionBench,
  resumeBench,
  startUpBench,
  runsBench,
  sessionsBench,
  makespanBench,
  plansBench,
  planStatusBench,
  driverBench,
  stopBench,
  sameWorkBench,
];

/** Inside the repository: temporary folders are where everybody deletes. */
const place = fileURLToPath(new URL('../.bench', import.meta.url));

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '9' },
    json: { type: 'boolean', default: false },
    folder: { type: 'string', default: place },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

process.exitCode = values.help ? usage() : await measure();

async function measure(): Promise<number> {
  const chosen = benches.filter(({ name }) => values.only.length === 0 || values.only.includes(name));
  const unknown = values.only.find((name) => !benches.some((bench) => bench.name === name));
  const rounds = Number(values.rounds);
  if (unknown !== undefined || !Number.isInteger(rounds) || rounds < 1) return usage();
  const folder = join(values.folder, `${process.pid}`);
  makeSpreadFolder(values.folder);
  makeSpreadFolder(folder);
  // A project of its own: without this, the repository around it would be taken for one.
  writeFileSync(join(folder, 'tutti.yaml'), '');
  try {
    const report = await reportOf(chosen, rounds, folder);
    process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : tableOf(report));
    return report.results.some(({ verdict }) => verdict === 'missed') ? 1 : 0;
  } finally {
    if (!values.keep) rmSync(folder, { recursive: true, force: true });
  }
}

async function reportOf(chosen: readonly Bench[], rounds: number, folder: string): Promise<Report> {
  const before = load();
  const results: Result[] = [];
  for (const bench of chosen) {
    process.stderr.write(bench.name);
    const own = join(folder, bench.name);
    makeSpreadFolder(own);
    const progress = () => process.stderr.write('.');
    results.push(...(await bench.run({ rounds, folder: own, progress })));
    process.stderr.write('\n');
  }
  return { machine: machine(folder), load: { before, after: load() }, results };
}

function usage(): number {
  const names = benches.map(({ name, about }) => `  ${name.padEnd(12)}${about}\n`).join('');
  process.stderr.write(
    `npm run bench -- [--only NAME]… [--rounds N] [--json] [--folder PATH] [--keep]\n\n${names}`,
  );
  return values.help ? 0 : 64;
}
