import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCode } from '../../src/lib/error-code.ts';
import { system } from '../../src/lib/process/system.ts';
import { readEnd } from '../../src/runtime/attempt-files.ts';
import { end } from '../../src/runtime/end-attempt.ts';
import { launcherFacts } from '../../src/runtime/launcher-facts.ts';
import { adopt, launch } from '../../src/runtime/launcher.ts';
import { AttemptRig, until, untilExists } from '../rig/attempt-rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { TmuxRig } from '../tmux/rig.ts';
import { trustProject } from '../rig/trust.ts';
import { runId } from './flow.ts';
import { complaint, live, resume, start } from './lives.ts';
import { mountingMissing, mountSmallDisk } from './small-disk.ts';

const missing = mountingMissing();
const session = { session_id: 's1' };

test.for([
  ['a command', { session: null, timeoutMs: null }],
  ['an agent', { session, timeoutMs: 600_000 }],
  ['an agent that is talked to', { session, timeoutMs: 600_000, launcher: 'host' }],
] as const)(
  'the end of %s is known while the disk is full, and recorded when there is space',
  async ([, kind], { skip }) => {
    skip(missing !== null, missing ?? '');
    using folder = tempFolder();
    using disk = mountSmallDisk(folder.path, 65_536);
    const rig = new AttemptRig(disk.path);
    const spec = rig.spec(['sh', '-c', 'cat /dev/zero > fill; exit 3'], kind);
    expect(await launch(spec)).toMatchObject({ exitCode: 3, ended: null });
    expect(await adopt(spec.dir, spec.marker)).toMatchObject({ exitCode: 3, ended: null });
    expect(readEnd(spec.dir)).toBeNull();
    expect(launcherFacts(spec.dir, spec.marker, system())).toMatchObject({ at: 'ended', exitCode: 3 });
    rmSync(join(spec.dir, 'fill'));
    await until('the end is recorded', () => readEnd(spec.dir) !== null);
    expect(readEnd(spec.dir)).toMatchObject({ exitCode: 3, ended: null });
    await rig.close();
    if (kind.session === null) return;
    const state: unknown = JSON.parse(readFileSync(join(spec.dir, 'state.json'), 'utf8'));
    expect(state).toMatchObject({ status: 'FAILED', exit_code: 3, activity: 'finished' });
  },
);

test('an agent that is talked to is ended at its deadline while the disk is full, and that is known', async ({
  skip,
}) => {
  skip(missing !== null, missing ?? '');
  using folder = tempFolder();
  using disk = mountSmallDisk(folder.path, 65_536);
  const rig = new AttemptRig(disk.path);
  const more = { session, timeoutMs: 2000, launcher: 'host' } as const;
  const spec = rig.spec(['sh', '-c', 'cat /dev/zero > fill; sleep 1000'], more);
  expect(await launch(spec)).toMatchObject({ ended: 'timeout' });
  expect(readEnd(spec.dir)).toBeNull();
  rmSync(join(spec.dir, 'fill'));
  await until('the end is recorded', () => readEnd(spec.dir) !== null);
  expect(readEnd(spec.dir)).toMatchObject({ ended: 'timeout', reason: 'the time limit was reached' });
  await rig.close();
  expect(readFileSync(join(spec.dir, 'session.log'), 'utf8')).toContain(
    'Timeout: the time limit was reached',
  );
});

test('where Node cannot become another program, the end of an agent that is talked to still waits for space', async ({
  skip,
}) => {
  skip(missing !== null, missing ?? '');
  using folder = tempFolder();
  using disk = mountSmallDisk(folder.path, 65_536);
  const rig = new AttemptRig(disk.path);
  const spec = rig.spec(['sh', '-c', 'cat /dev/zero > fill; exit 3'], { session, launcher: 'host' });
  const NODE_OPTIONS = '--import=data:text/javascript,delete%20process.execve';
  const living = launch({ ...spec, env: { ...spec.env, NODE_OPTIONS } });
  await untilExists(spec.dir, 'exit');
  expect(readEnd(spec.dir)).toBeNull();
  rmSync(join(spec.dir, 'fill'));
  expect(await living).toMatchObject({ exitCode: 3, ended: null });
  await rig.close();
  const state: unknown = JSON.parse(readFileSync(join(spec.dir, 'state.json'), 'utf8'));
  expect(state).toMatchObject({ status: 'FAILED', exit_code: 3, activity: 'finished' });
});

test('the end of an interface in a pane is known while the disk is full, and recorded when there is space', async ({
  skip,
}) => {
  skip(missing !== null, missing ?? '');
  await using rig = new TmuxRig();
  using _disk = mountSmallDisk(rig.path, 262_144);
  const spec = rig.spec(null, { argv: ['sh', '-c', 'cat /dev/zero > fill; exit 3'] });
  expect(await rig.launch(spec)).toMatchObject({ exitCode: 3, ended: null });
  expect(readEnd(spec.dir)).toBeNull();
  rmSync(join(spec.dir, 'fill'));
  await until('the end is recorded', () => readEnd(spec.dir) !== null);
  expect(readEnd(spec.dir)).toMatchObject({ exitCode: 3, ended: null });
  await until('nobody is left behind', () => rig.left().length === 0);
  expect(rig.state(spec)).toMatchObject({ status: 'FAILED', exit_code: 3, activity: 'finished' });
});

test.for(['shell', 'host'] as const)(
  'a stop on a full disk leaves no %s launcher that waits to record an end',
  async (launcher, { skip }) => {
    skip(missing !== null, missing ?? '');
    using folder = tempFolder();
    using disk = mountSmallDisk(folder.path, 65_536);
    const rig = new AttemptRig(disk.path);
    const spec = rig.spec(['sh', '-c', 'cat /dev/zero > fill; exit 3'], { launcher });
    await launch(spec);
    expect((await end(spec.dir, spec.marker, 'stopped')).left).toEqual([]);
    await rig.close();
  },
);

test('a run whose work ended on a full disk ends with 69, says so, and nothing is run twice', {
  timeout: 300_000,
}, async ({ skip }) => {
  skip(missing !== null, missing ?? '');
  using folder = tempFolder();
  const waits = 'echo once >>ledger; until [ -e go ]; do sleep 0.1; done';
  const flow = { steps: [{ id: 'x', command: ['sh', '-c', waits] }] };
  writeFileSync(join(folder.path, 'flow.yaml'), JSON.stringify(flow));
  using disk = mountSmallDisk(join(folder.path, '.tutti'), 4 * 1024 * 1024);
  // The home that `live` gives each process.
  trustProject(folder.path, { PATH: process.env['PATH'], HOME: folder.path });
  const living = live(folder.path, start);
  await untilExists(folder.path, 'ledger');
  fill(join(disk.path, 'fill'));
  writeFileSync(join(folder.path, 'go'), '');
  const first = await living;
  expect(first).toMatchObject({ code: 69, stderr: expect.stringContaining('disk is full') });
  expect(complaint(first, folder.path)).toBeNull();
  const { stdout } = await live(folder.path, ['status', runId]);
  expect(stdout).toMatch(/^run \S+ · undriven .* · slots 0\//);
  expect(stdout).toContain('its process has ended');
  expect(stdout).toMatch(/it could not write: .*disk is full\n/);
  rmSync(join(disk.path, 'fill'));
  expect((await live(folder.path, resume)).code).toBe(0);
  expect(readFileSync(join(folder.path, 'ledger'), 'utf8')).toBe('once\n');
});

function fill(path: string): void {
  for (let size = 65_536; size > 0; size = Math.floor(size / 2)) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(size));
    } catch (error) {
      if (errorCode(error) !== 'ENOSPC') throw error;
    }
  }
}
