import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AttemptRig, until, untilExists } from '../../../test/rig/attempt-rig.ts';
import { repository } from '../../../test/rig/repository.ts';
import { type TempFolder, tempFolder } from '../../../test/rig/temp-folder.ts';
import { identify } from '../../lib/process/identity.ts';
import { readStart } from '../attempt-files.ts';
import { end } from '../end-attempt.ts';
import { endRun, runProcesses } from '../end-run.ts';
import { launch } from '../launcher.ts';
import type { ProcessSpec } from '../process-spec.ts';
import { groupName, isGroupName, isGroupOfRun, openSessionGroup, removeSessionGroup } from './group.ts';

const none = { memoryBytes: null, processes: null, cpuPercent: null };

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

test('a name says whose group it is, in characters that nobody minds', () => {
  const name = groupName('mark:run-1#step/a b@c\n#1');
  expect(name).toMatch(/^tutti@mark%3Arun-1@[0-9a-f]{16}$/);
  expect(isGroupName(name)).toBe(true);
  expect(isGroupName('user.slice')).toBe(false);
  expect(groupName('mark:run-1#step#2')).not.toBe(groupName('mark:run-1#step#1'));
  expect(groupName(`${'x'.repeat(500)}#a#1`).length).toBeLessThan(100);
  const inRun = isGroupOfRun('mark:run-1');
  expect(inRun(name)).toBe(true);
  expect(inRun(groupName('mark:run-1.0a1b2c3d#s#1'))).toBe(true);
  for (const other of ['mark:run-10#s#1', 'other:run-1#s#1', 'mark:run#s#1']) {
    expect(inRun(groupName(other))).toBe(false);
  }
});

test('whatever the file says, only a group of that very name is removed', () => {
  const { dir, marker } = rig.spec(['true']);
  const decoys = [join(folder.path, groupName(marker)), join(folder.path, 'precious')];
  for (const decoy of decoys) mkdirSync(decoy);
  writeFileSync(join(dir, 'cgroup'), `${decoys.join('\n')}\n/sys/fs/cgroup/../../${decoys[0]}\n\0\n`);
  removeSessionGroup(dir, marker);
  expect(decoys.every((decoy) => existsSync(decoy))).toBe(true);
});

const trial = tempFolder();
const offered = openSessionGroup(trial.path, 'trial', none).dirs.length > 0;
removeSessionGroup(trial.path, 'trial');
trial[Symbol.dispose]();

/** Leaves its session, clears its environment and loses its parents: only the group is left. */
const vanishing = `(setsid env -i RIG="$RIG" PATH="$PATH" sh -c '(sh -c "echo \\$\\$ >\\$RIG/pid; while :; do sleep 0.1; done" &)' &)
  until [ -s "$RIG/pid" ]; do sleep 0.02; done; : >"$RIG/ready"; while :; do sleep 0.1; done`;
const vanished = ({ dir }: ProcessSpec): number => Number(readFileSync(join(dir, 'pid'), 'utf8'));
const groupsOf = ({ dir }: ProcessSpec): readonly string[] =>
  existsSync(join(dir, 'cgroup')) ? readFileSync(join(dir, 'cgroup'), 'utf8').trim().split('\n') : [];

describe.each(['shell', 'host'] as const)(
  `under the %s launcher, who keeps nothing but its group (${offered ? 'offered here' : 'not offered here'})`,
  (launcher) => {
    const session = (more: Partial<ProcessSpec> = {}): ProcessSpec =>
      rig.spec(['sh', '-c', vanishing], { launcher, session: { session_id: 's' }, ...more });
    /** Where there are no groups it goes on, and the test itself has to end it. */
    const expectGone = (spec: ProcessSpec): void => {
      const pid = vanished(spec);
      const alive = identify(pid) !== null;
      if (alive) process.kill(pid, 'SIGKILL');
      expect(alive).toBe(!offered);
      expect(groupsOf(spec).length > 0).toBe(offered);
      expect(groupsOf(spec).filter((dir) => existsSync(dir))).toEqual([]);
    };

    test('is ended at the deadline', async () => {
      const late = session({ timeoutMs: 1500 });
      expect(await launch(late)).toMatchObject({ ended: 'timeout' });
      expectGone(late);
    });

    test('is ended with a session whose launcher was killed', async () => {
      const spec = session();
      const ended = launch(spec);
      await untilExists(spec.dir, 'ready');
      const start = readStart(spec.dir);
      if (start.kind === 'started') process.kill(start.launcher.pid, 'SIGKILL');
      expect(await ended).toBe('lost');
      expectGone(spec);
    });

    test('is ended with its run, long after its session', async () => {
      const runId = `run-${process.pid}-${launcher}`;
      const spec = { ...session(), marker: `project:${runId}#step#1` };
      const leaving = vanishing.replace(/while :; do sleep 0.1; done$/, 'exit 0');
      const ended = launch({ ...spec, argv: ['sh', '-c', leaving] });
      expect(await ended).toMatchObject({ exitCode: 0 });
      // A shell and its `sleep`, which is now and then between two.
      expect(runProcesses('project', runId) > 0).toBe(offered);
      // Control: a run whose id merely begins alike is another.
      await endRun('project', runId.slice(0, -1));
      expect(identify(vanished(spec))).not.toBeNull();
      await endRun('project', runId);
      expectGone(spec);
    });
  },
);

describe(`a command's process that keeps nothing but its group (${offered ? 'offered here' : 'not offered here'})`, () => {
  const command = (more: Partial<ProcessSpec> = {}): ProcessSpec => rig.spec(['sh', '-c', vanishing], more);
  const expectGone = (spec: ProcessSpec): void => {
    const pid = vanished(spec);
    const alive = identify(pid) !== null;
    if (alive) process.kill(pid, 'SIGKILL');
    expect(alive).toBe(!offered);
  };

  test('is ended at the deadline of the command, and other commands of the run work on', async () => {
    const other = command();
    const late = command({ marker: `${other.marker.split('#')[0] ?? ''}#late#1`, timeoutMs: 1500 });
    const working = launch(other);
    await untilExists(other.dir, 'ready');
    expect(await launch(late)).toMatchObject({ ended: 'timeout' });
    expectGone(late);
    // Control: only what belongs to the ended command is ended, also at its last, hardest signal.
    expect(identify(vanished(other))).not.toBeNull();
    await end(other.dir, other.marker, 'enough');
    expect(await working).toMatchObject({ ended: 'killed' });
    expectGone(other);
  });

  test('is ended when the command is one of many, which a helper starts', async () => {
    const marker = `${rig.spec(['true']).marker.split('#')[0] ?? ''}#many`;
    const many = Array.from({ length: 16 }, (_, n) => rig.spec(['true'], { marker: `${marker}-${n}#1` }));
    await Promise.all(many.map((spec) => launch(spec)));
    const late = command({ marker: `${marker}-late#1`, timeoutMs: 1500 });
    expect(await launch(late)).toMatchObject({ ended: 'timeout' });
    expectGone(late);
  });
});

test('the group of a session that ended goes with the last session that was started inside it', async () => {
  const inner = rig.spec(['sh', '-c', ': >"$RIG/ready"; while :; do sleep 0.1; done'], {
    session: { session_id: 'inner' },
  });
  const program = `
    import { existsSync } from 'node:fs';
    import { launch } from ${JSON.stringify(repository('src/runtime/launcher.ts'))};
    void launch(${JSON.stringify(inner)});
    setInterval(() => existsSync(${JSON.stringify(join(inner.dir, 'ready'))}) && process.exit(0), 10);`;
  const outer = rig.spec([process.execPath, '--input-type=module', '--eval', program], {
    session: { session_id: 'outer' },
  });
  expect(await launch(outer)).toMatchObject({ exitCode: 0 });
  expect(groupsOf(outer).filter((dir) => existsSync(dir))).toEqual(groupsOf(outer));
  expect(groupsOf(inner)).toEqual(groupsOf(outer).map((dir) => join(dir, groupName(inner.marker))));
  await end(inner.dir, inner.marker, 'enough');
  expect([...groupsOf(inner), ...groupsOf(outer)].filter((dir) => existsSync(dir))).toEqual([]);
});

test('a program that lives alone is not part of the session that started it', async () => {
  const program = `
    import { startProgram } from ${JSON.stringify(repository('src/runtime/program.ts'))};
    import { writeFileSync } from 'node:fs';
    const { RIG } = process.env;
    const common = { argv: ['sleep', '300'], cwd: '/', env: { PATH: process.env.PATH }, logFile: RIG + '/alone.log' };
    const { pid } = await startProgram({ ...common, life: 'alone' });
    writeFileSync(RIG + '/alone', String(pid));
    writeFileSync(RIG + '/ready', '');
    setInterval(() => undefined, 1000);`;
  const spec = rig.spec([process.execPath, '--input-type=module', '--eval', program], {
    session: { session_id: 's' },
  });
  const ended = launch(spec);
  await untilExists(spec.dir, 'ready');
  const pid = Number(readFileSync(join(spec.dir, 'alone'), 'utf8'));
  const inside = rig.left().filter((each) => each !== pid);
  // Control: whoever started it is in the group, where there is one.
  const groups = inside.map((each) => readFileSync(`/proc/${each}/cgroup`, 'utf8'));
  expect(groups.some((text) => text.includes(groupName(spec.marker)))).toBe(offered);
  expect(readFileSync(`/proc/${pid}/cgroup`, 'utf8')).not.toContain('tutti@');
  await until('its parent is known', () => identify(pid) !== null);
  process.kill(pid, 'SIGKILL');
  await end(spec.dir, spec.marker, 'enough');
  await ended;
});
