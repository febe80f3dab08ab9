/**
 * A process that plans and dies at the n-th boundary: `plan-victim.ts FOLDER CRASH_AT [forgets]`. With CRASH_AT 0 it never dies,
 * and writes the boundaries it passed to `boundaries.json`. The plan is approved by whoever finds the question.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reopenEntries } from '../../src/app/runs/run-holder.ts';
import { preparePlan, startPlan } from '../../src/app/plans/planning/start-plan.ts';
import { advanceRun } from '../../src/app/runs/advance-run.ts';

import { setProbe } from '../../src/lib/probe.ts';
import { order } from '../planning/project.ts';
import { openTutti } from '../rig/trust.ts';

const [folder = '', crashAt = '0', bug = ''] = process.argv.slice(2);
const runId = 'numerals-plan';
const passed: string[] = [];
setProbe((point) => {
  passed.push(point);
  if (passed.length === Number(crashAt)) process.kill(process.pid, 'SIGKILL');
});

const opened = openTutti({ folder, env: process.env, create: true });
if (!opened.ok) throw new Error(opened.error.message);
using tutti = opened.value;
if ((await tutti.queries.run(runId)) === null) {
  const prepared = preparePlan(tutti, { ...order, folder }, []);
  if (!prepared.ok) throw new Error(prepared.error.message);
  const started = await startPlan(tutti, prepared.value);
  if (!started.ok) throw new Error(started.error.message);
}
// The planted bug: what is finished and paid for is not found again.
if (bug === 'forgets') await reopenEntries(tutti, runId, () => true);
let outcome = await advanceRun(tutti, { runId, stay: false });
while (outcome.ok && outcome.value === 'HUMAN_INPUT') {
  const approvals = (await tutti.queries.openQuestions(runId)).filter(
    ({ question }) => question.step === 'approval',
  );
  if (approvals.length === 0) throw new Error(readFileSync(join(folder, 'ledger'), 'utf8'));
  for (const { key } of approvals)
    await tutti.store.answer(runId, key, { text: 'approve', by: 'test', at: 1 });
  outcome = await advanceRun(tutti, { runId, stay: false });
}
writeFileSync(join(folder, 'boundaries.json'), JSON.stringify(passed));
process.exitCode = outcome.ok && outcome.value === 'SUCCESS' ? 0 : 1;
