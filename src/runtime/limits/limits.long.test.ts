import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AttemptRig, until, untilExists } from '../../../test/rig/attempt-rig.ts';
import { type TempFolder, tempFolder } from '../../../test/rig/temp-folder.ts';
import type { ResourceLimits } from '../../model/limits.ts';
import { readStart } from '../attempt-files.ts';
import { end } from '../end-attempt.ts';
import { launch } from '../launcher.ts';
import type { ProcessSpec } from '../process-spec.ts';
import { folderBytes } from './folder-size.ts';
import { achievableLimits, withoutGroup } from './plan.ts';

const mib = 1024 ** 2;
const roomy: ResourceLimits = {
  memoryBytes: null,
  processes: null,
  cpuPercent: null,
  fileBytes: null,
  diskWarnBytes: 100 * mib,
  diskFailBytes: 200 * mib,
  stallMs: 600_000,
};
/** Also makes the guard look often. */
const soonStalled = { ...roomy, stallMs: 400 };

let folder: TempFolder;
let rig: AttemptRig;
beforeEach(() => {
  folder = tempFolder();
  rig = new AttemptRig(folder.path);
});
afterEach(async () => {
  try {
    await rig.close();
  } finally {
    folder[Symbol.dispose]();
  }
});

const log = ({ dir }: ProcessSpec): string => readFileSync(join(dir, 'session.log'), 'utf8');
const state = ({ dir }: ProcessSpec): Record<string, unknown> =>
  JSON.parse(readFileSync(join(dir, 'state.json'), 'utf8')) as Record<string, unknown>;
const count = (text: string, part: string): number => text.split(part).length - 1;
/** What the files of these names hold, wherever the session's group has one. */
const groupFiles = ({ dir }: ProcessSpec, ...names: readonly string[]): readonly string[] => {
  const record = join(dir, 'cgroup');
  const groups = existsSync(record) ? readFileSync(record, 'utf8').trim().split('\n') : [];
  const paths = groups.flatMap((group) => names.map((name) => join(group, name)));
  return paths.filter((path) => existsSync(path)).map((path) => readFileSync(path, 'utf8'));
};
const waitFor = (file: string): string => `until [ -e "$RIG/${file}" ]; do sleep 0.02; done`;

describe.each(['shell', 'host'] as const)('the %s launcher', (launcher) => {
  const session = (command: string, limits: ResourceLimits, more: Partial<ProcessSpec> = {}): ProcessSpec =>
    rig.spec(['sh', '-c', command], { launcher, limits, session: { session_id: 's' }, ...more });

  test('ends what fills its folder, whatever it does, and says so', async () => {
    const limits = { ...soonStalled, diskWarnBytes: mib, diskFailBytes: 2 * mib };
    const full = session(
      'trap "" TERM; (setsid sleep 300 &); head -c 4000000 /dev/zero >big; sleep 300; sleep 300',
      limits,
    );
    expect(await launch(full)).toMatchObject({
      ended: 'quota',
      reason: 'the folder of the session holds more than 2 MB',
    });
    expect(state(full)).toMatchObject({ status: 'FAILED', ended: 'quota', activity: 'finished' });
    expect(log(full)).toMatch(/\[ERROR\] Quota: the folder of the session holds more than 2 MB\n/);
    expect(rig.left()).toEqual([]);
  });

  test('tells once that a folder grows large', async () => {
    const limits = { ...soonStalled, diskWarnBytes: mib };
    const large = session(`head -c 2000000 /dev/zero >big; ${waitFor('go')}`, limits);
    const ended = launch(large);
    await until(
      'both lines',
      () => existsSync(join(large.dir, 'session.log')) && log(large).includes('Disk: '),
    );
    // It goes on looking: another silence is told meanwhile.
    await until('a stall', () => log(large).includes('Stalled: '));
    writeFileSync(join(large.dir, 'go'), '');
    expect(await ended).toMatchObject({ exitCode: 0, ended: null });
    expect(count(log(large), '[WARN] Disk: the folder of the session holds more than 1 MB')).toBe(1);
  });

  test('says when it is silent, when it speaks again, and who watches it', async () => {
    const quiet = session(`echo one; ${waitFor('go')}; echo two; ${waitFor('done')}`, soonStalled);
    const ended = launch(quiet);
    await untilExists(quiet.dir, 'state.json');
    expect(state(quiet)).toMatchObject({ status: 'RUNNING', activity: 'working', activity_detail: null });
    const start = readStart(quiet.dir);
    expect(start.kind === 'started' && start.launcher).toEqual({
      pid: state(quiet)['pid'],
      startTime: state(quiet)['start_time'],
      bootId: state(quiet)['boot_id'],
    });
    await until('it is stalled', () => state(quiet)['activity'] === 'stalled');
    expect(state(quiet)['activity_detail']).toMatch(/^nothing on its output since \d{4}-.*Z$/);
    writeFileSync(join(quiet.dir, 'go'), '');
    await until('it works again', () => state(quiet)['activity'] === 'working');
    expect(state(quiet)['activity_detail']).toBeNull();
    await until('it is stalled again', () => state(quiet)['activity'] === 'stalled');
    writeFileSync(join(quiet.dir, 'done'), '');
    await ended;
    expect(state(quiet)).toMatchObject({ status: 'COMPLETED', activity: 'finished', activity_detail: null });
    expect(count(log(quiet), '[WARN] Stalled: nothing on its output since ')).toBe(2);
  });

  test('lets no process of the agent write a larger file, and writes its own all the same', async () => {
    const limits = { ...roomy, fileBytes: 100_000 };
    const writer = session('head -c 500000 /dev/zero >big; head -c 50000 /dev/zero >small', limits);
    expect(await launch(writer)).toMatchObject({ ended: null });
    expect(statSync(join(writer.dir, 'big')).size).toBe(100_352);
    expect(statSync(join(writer.dir, 'small')).size).toBe(50_000);
    expect(state(writer)).toMatchObject({ limits: { file_size: 'rlimit', disk: 'launcher', memory: null } });
  });

  test('ends a session at its deadline and not before, with limits to watch as well', async () => {
    const late = session('exec sleep 300', roomy, { timeoutMs: 2300 });
    expect(await launch(late)).toMatchObject({ ended: 'timeout' });
    const at = (file: string): number => statSync(join(late.dir, file)).mtimeMs;
    expect(at('ending') - at('started')).toBeGreaterThan(2200);
  });

  test('leaves a program that is not there as what it is', async () => {
    expect(
      await launch(rig.spec(['no-such-program'], { launcher, limits: roomy, session: { session_id: 's' } })),
    ).toMatchObject({
      exitCode: 127,
      problem: 'no-program',
    });
  });

  test(`holds processes and cpu where groups are offered (here: ${achievableLimits({ ...roomy, cpuPercent: 50 }).achieved.cpu})`, async () => {
    const limits = { ...roomy, processes: 20, cpuPercent: 50 };
    const { achieved } = achievableLimits(limits);
    const forks = `i=0; while [ $i -lt 40 ]; do sleep 300 & i=$((i + 1)); echo $i >"$RIG/forks"; done`;
    const forker = session(`(${forks}); : >"$RIG/over"; ${waitFor('never')}`, limits);
    const ended = launch(forker);
    await untilExists(forker.dir, 'over');
    const forked = Number(readFileSync(join(forker.dir, 'forks'), 'utf8'));
    if (achieved.processes === 'cgroup') expect(forked).toBeLessThan(20);
    else expect(forked).toBe(40);
    expect(state(forker)['limits']).toEqual({ ...achieved });
    const quotas = groupFiles(forker, 'cpu.cfs_quota_us', 'cpu.max');
    expect(quotas).toEqual(achieved.cpu === 'cgroup' ? [expect.stringMatching(/^50000\b/)] : []);
    await end(forker.dir, forker.marker, 'enough');
    expect(await ended).toMatchObject({ ended: 'killed' });
    expect(rig.left()).toEqual([]);
  });
});

test('killing every sleep does not call off the quota', async () => {
  const killer = `for i in 1 2 3 4 5 6 7 8; do for p in /proc/[0-9]*; do
      grep -qszxF "TUTTI_ATTEMPT_ID=$TUTTI_ATTEMPT_ID" $p/environ && read -r c <$p/comm && [ "$c" = sleep ] && kill \${p#/proc/}
    done; done; head -c 4000000 /dev/zero >big; sleep 300; sleep 300`;
  const limits = { ...soonStalled, diskWarnBytes: mib, diskFailBytes: 2 * mib };
  const spec = rig.spec(['sh', '-c', killer], { limits, session: { session_id: 's' } });
  expect(await launch(spec)).toMatchObject({ ended: 'quota' });
});

describe('what was achieved', () => {
  const wanted = { ...roomy, memoryBytes: mib, processes: 10, cpuPercent: 50, fileBytes: mib };

  test('without a group, what only a group can hold is named', () => {
    const { achieved, lacking } = withoutGroup(wanted);
    expect(achieved).toEqual({
      memory: 'none',
      processes: 'none',
      cpu: 'none',
      file_size: 'rlimit',
      disk: 'launcher',
      tree: 'none',
    });
    expect(lacking).toMatch(
      /^Limits: memory and processes and cpu are not enforced, because .*tutti help limits$/,
    );
    expect(withoutGroup({ ...roomy, cpuPercent: 50 }).lacking).toContain('cpu is not enforced');
  });

  test('what was not asked for is not lacking', () => {
    expect(withoutGroup(roomy)).toMatchObject({ lacking: null, achieved: { memory: null, file_size: null } });
    expect(withoutGroup(null)).toMatchObject({ lacking: null, disk: null, achieved: { disk: null } });
  });
});

test('the size of a folder is what it takes on the disk, through all levels and no links', async () => {
  const { path } = folder;
  const empty = await folderBytes(path);
  const spec = rig.spec([
    'sh',
    '-c',
    'mkdir -p a/b; head -c 300000 /dev/zero >a/b/c; ln -s /usr usr; ln -s . loop',
  ]);
  await launch(spec);
  const bytes = await folderBytes(spec.dir);
  expect(bytes).toBeGreaterThanOrEqual(300_000);
  expect(bytes).toBeLessThan(400_000);
  expect(await folderBytes('/no/such')).toBe(0);
  expect(empty).toBeLessThan(100_000);
});
