/**
 * A process that executes a plan and dies at the n-th boundary: `execute-victim.ts PROJECT CRASH_AT [how]`. With CRASH_AT 0
 * it never dies, and writes the boundaries it passed to `boundaries.json`. Called again, it goes on.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalHost } from '../../src/app/host/local-host.ts';
import { advanceRun } from '../../src/app/runs/advance-run.ts';

import { setProbe } from '../../src/lib/probe.ts';
import { unknownUsage } from '../../src/model/usage.ts';
import { ensurePlan, runId, submit } from '../execute/project.ts';
import { openTutti } from '../rig/trust.ts';

const [project = '', crashAt = '0', how = ''] = process.argv.slice(2);
const opened = openTutti({ folder: project, env: process.env, create: true });
if (!opened.ok) throw new Error(opened.error.message);
using tutti = opened.value;
// The plan is there before: what is tried is its execution.
await ensurePlan(tutti, project);
if (crashAt === 'plan') process.exit(0);

const passed: string[] = [];
setProbe((point) => {
  passed.push(point);
  if (passed.length === Number(crashAt)) process.kill(process.pid, 'SIGKILL');
});

// The planted bug: what an earlier process started is taken for lost, although it lives.
if (how === 'no-adoption') {
  LocalHost.prototype.adopt = function lost(attempt, began) {
    if (attempt.kind !== 'session') return this.launch(attempt, began);
    const session = { status: 'FAILED', exitCode: null, outcome: 'FAILURE', usage: unknownUsage } as const;
    return Promise.resolve({ completion: { at: 'lost' }, session });
  };
}

// Executing again would try again what has failed; going on does not.
const goesOn = how === 'resume' && (await tutti.queries.run(runId)) !== null;
const refused = goesOn
  ? null
  : await submit(tutti, { undeclared: 'accept', parallel: 2, verify: how !== 'resume' });
if (refused !== null) throw new Error(refused);
const outcome = await advanceRun(tutti, { runId, stay: false });
writeFileSync(join(project, 'boundaries.json'), JSON.stringify(passed));
process.exitCode = outcome.ok ? 0 : 1;
