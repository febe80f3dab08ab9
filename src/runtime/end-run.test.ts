import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { identify } from '../lib/process/identity.ts';
import { usualLimits } from '../../test/misbehaving/children.ts';
import { AttemptRig, until, untilExists } from '../../test/rig/attempt-rig.ts';
import { endRun } from './end-run.ts';
import { launch } from './launcher.ts';
import { achievableLimits } from './limits/plan.ts';

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

const { tree } = achievableLimits(usualLimits).achieved;

test.skipIf(tree === 'none').each(['one', 'many'])(
  'what a command left behind without a sign of its run is ended with the run, with %s commands before it',
  async (before) => {
    using folder = tempFolder();
    const rig = new AttemptRig(folder.path);
    const marker = `project:run-${process.pid}-${before}#step@1#1`;
    // After a while a helper starts commands, and not this process.
    for (let n = 0; n < (before === 'many' ? 20 : 1); n += 1)
      await launch({ ...rig.spec(['true']), marker: `${marker}${n}` });
    const command = '(setsid env -i sh -c "echo \\$\\$ >$RIG/escaped; exec sleep 300" &); sleep 0.1';
    const spec = { ...rig.spec(['sh', '-c', command]), marker };
    expect(await launch(spec)).toMatchObject({ exitCode: 0 });
    const escaped = join(spec.dir, 'escaped');
    await until(
      'it has told its number',
      () => existsSync(escaped) && readFileSync(escaped, 'utf8').endsWith('\n'),
    );
    const pid = Number(readFileSync(escaped, 'utf8'));
    strangers.push(pid);
    expect(identify(pid)).not.toBeNull();
    expect((await endRun('project', `run-${process.pid}-${before}`)).left).toEqual([]);
    expect(identify(pid)).toBeNull();
  },
);

test('a run with nothing alive is stopped at once', async () => {
  expect(await endRun('project', 'no-such-run')).toEqual({ found: 0, left: [] });
});
