import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { pathsOf } from '../../src/app/project.ts';
import { endRun, runProcesses } from '../../src/runtime/end-run.ts';
import { until } from '../rig/attempt-rig.ts';
import { describeFirstRelease } from '../rig/first-release.ts';
import { startTutti, writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { files, flowAfterLoss, ledger, planAfterLoss } from './lost-work.ts';

/** What the first release did when its database was lost; the tests below play the same scenes with this program. */
describeFirstRelease('FAULTS', (program) => {
  test('forgets every run of a lost database without a word, and pays for the finished turn again', async () => {
    expect(await flowAfterLoss(program())).toEqual(['told', 'told']);
  });

  test('forgets a finished plan with its database, and pays for all of it again', async () => {
    expect(await planAfterLoss(program())).toEqual(expect.arrayContaining(['logical', 'T001', 'T002']));
  });

  test('leaves the agents of a run at work whose state was removed', async () => {
    using project = tempFolder();
    writeProject(project.path, files);
    const running = startTutti(project.path, ['run', 'long.yaml', '--run-id', 'r2'], {}, program());
    await until('the agent works', () => ledger(project.path).includes('sleeps'));
    const { mark } = pathsOf(project.path);
    rmSync(join(project.path, '.tutti'), { recursive: true, force: true });
    // Long enough for several looks of the program that ends it now.
    const end = await Promise.race([running.ended, pause(5000).then(() => null)]);
    const alive = runProcesses(mark, 'r2');
    running.child.kill('SIGKILL');
    await endRun(mark, 'r2');
    expect({ said: end?.stderr ?? '', alive: alive > 0 }).toEqual({ said: '', alive: true });
  });
});

test('a finished turn is not paid for again after its database was lost', async () => {
  expect(await flowAfterLoss()).toEqual(['told']);
});

test('nothing of a finished plan is paid for again after its database was lost', async () => {
  expect(await planAfterLoss()).toEqual([]);
});
