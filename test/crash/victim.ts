/**
 * A process that advances one run and dies at the n-th boundary: `victim.ts FOLDER FLOW CRASH_AT [no-adoption]`.
 * With CRASH_AT 0 it never dies, and writes the boundaries it passed to `boundaries.json`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setProbe } from '../../src/lib/probe.ts';
import { LocalHost } from '../../src/app/host/local-host.ts';
import { advanceRun } from '../../src/app/runs/advance-run.ts';
import { checkFlow } from '../../src/app/runs/start-flow.ts';
import { openTutti, startFlow } from '../rig/trust.ts';

const [folder = '', file = '', crashAt = '0', bug = ''] = process.argv.slice(2);
const runId = 'swept';
const passed: string[] = [];
/** From the start of this process until it had taken the run over and went on with it. */
let resumedMs: number | null = null;
setProbe((point) => {
  if (passed.includes('claim:after')) resumedMs ??= performance.now();
  passed.push(point);
  if (passed.length === Number(crashAt)) process.kill(process.pid, 'SIGKILL');
});

// The planted bug: what an earlier process started is neither followed nor barred, but simply started again.
if (bug === 'no-adoption') {
  LocalHost.prototype.adopt = function adopt(attempt, began) {
    return this.launch({ ...attempt, attempt: attempt.attempt + 100 }, began);
  };
}

const request = { file, folder, runId, maxParallel: null };
const flow = checkFlow(request);
const opened = openTutti({ folder, env: process.env, create: true });
if (!flow.ok || !opened.ok) throw new Error(JSON.stringify([flow, opened.ok]));
using tutti = opened.value;
if ((await tutti.queries.run(runId)) === null) {
  const started = await startFlow(tutti, flow.value, request);
  if (!started.ok) throw new Error(started.error.message);
}
let outcome = await advanceRun(tutti, { runId, stay: false });
while (outcome.ok && outcome.value === 'HUMAN_INPUT') {
  for (const { key } of await tutti.queries.openQuestions(runId)) {
    await tutti.store.answer(runId, key, { text: 'yes', by: 'test', at: 1 });
  }
  outcome = await advanceRun(tutti, { runId, stay: false });
}
writeFileSync(join(folder, 'boundaries.json'), JSON.stringify({ passed, resumedMs }));
process.exitCode = outcome.ok && outcome.value === 'SUCCESS' ? 0 : 1;
