import { spawn } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { identify } from '../lib/process/identity.ts';
import { AttemptRig, untilExists } from '../../test/rig/attempt-rig.ts';
import { endRun } from './end-run.ts';
import { launch } from './launcher.ts';

const strangers: number[] = [];
afterEach(() => {
  for (const pid of strangers.splice(0)) if (identify(pid) !== null) process.kill(pid, 'SIGKILL');
});

test('a stopped run leaves no process, of it or of its child runs, wherever they moved to', async () => {
  using folder = tempFolder();
  const rig = new AttemptRig(folder.path);
  const runId = `run-${process.pid}`;
  const command =
    'trap "" TERM; setsid sh -c \'trap "" TERM; sleep 300; sleep 300\' & (sleep 300 &); : >"$RIG/ready"; sleep 300; sleep 300';
  const specs = [runId, `${runId}.0a1b2c3d`].map((id) => ({
    ...rig.spec(['sh', '-c', command]),
    marker: `project:${id}#step@1#1`,
  }));
  const ends = specs.map(async (spec) => launch(spec));
  await Promise.all(specs.map(async (spec) => untilExists(spec.dir, 'ready')));

  // Control: a run whose id merely begins alike is somebody else's, and so is one of the same name elsewhere.
  const others = [`project:${runId}0#step@1#1`, `elsewhere:${runId}#step@1#1`].map((mark) =>
    spawn('sleep', ['300'], { stdio: 'ignore', env: { TUTTI_ATTEMPT_ID: mark } }),
  );
  strangers.push(...others.map(({ pid }) => pid ?? 0));

  const report = await endRun('project', runId);
  expect(report.left).toEqual([]);
  expect(report.found).toBeGreaterThanOrEqual(8);
  expect(rig.left()).toEqual([]);
  for (const { pid } of others) expect(identify(pid ?? 0)).not.toBeNull();
  for (const end of await Promise.all(ends)) expect(end).not.toMatchObject({ exitCode: 0 });
});

test('a run with nothing alive is stopped at once', async () => {
  expect(await endRun('project', 'no-such-run')).toEqual({ found: 0, left: [] });
});
