import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../e2e/project.ts';
import { mountingMissing } from '../faults/small-disk.ts';
import { buildFirstRelease, firstReleaseProblem } from '../rig/first-release.ts';
import { needProgram } from '../rig/need-program.ts';
import { notInSuite, skipBecause } from '../rig/skip-because.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { BrokenProject } from './broken-project.ts';
import { couldNotWrite } from './cannot-write.ts';
import {
  executeAfterInterrupt,
  executeWithoutGit,
  resumeConversation,
  resumePlanAfterStop,
  saidAfterInterrupt,
  tmuxAfterLastPane,
} from './continued.ts';
import { holdUpCommand, holdUpExecute } from './held-up.ts';

/** Building it takes a while: `npm run test:all` does. */
const skipped = notInSuite('FAULTS') ?? firstReleaseProblem() ?? mountingMissing();
skipBecause(skipped);
const release = tempFolder();
let program = '';
const limit = { timeout: 300_000 };

beforeAll(() => {
  if (skipped === null) program = buildFirstRelease(release.path);
}, 300_000);

afterAll(() => {
  release[Symbol.dispose]();
});

function brokenProject(folder: string, subject: 'run' | 'session'): BrokenProject {
  return new BrokenProject(realpathSync(folder), subject, program);
}

test(
  'before: two SIGTERMs on a full disk ended nothing, and later two more agents were launched',
  limit,
  async () => {
    using folder = tempFolder();
    using project = brokenProject(folder.path, 'run');
    await project.begin('foreground');
    await project.break('disk full');
    project.command.child.kill('SIGTERM');
    await until('the first signal is heard', () => project.heard('halting'));
    project.command.child.kill('SIGTERM');
    await until('the second signal is heard', () => project.heard('stopping'));
    expect(project.alive().length).toBeGreaterThan(0);
    expect(project.command.child.exitCode).toBeNull();
    expect(project.launches()).toBe(2);
    project.heal();
    writeFileSync(join(project.path, 'go'), '');
    await until('two more agents were launched', () => project.launches() === 4);
  },
);

test(
  'before: stop and session kill refused with 69 on a full disk, and the agents went on',
  limit,
  async () => {
    for (const subject of ['run', 'session'] as const) {
      using folder = tempFolder();
      using project = brokenProject(folder.path, subject);
      await project.begin(subject === 'run' ? 'foreground' : 'conductor');
      await project.break('disk full');
      const words = subject === 'run' ? ['stop', 'r'] : ['session', 'kill', project.id, '--force'];
      expect((await project.tutti(...words)).code).toBe(69);
      expect(project.alive().length).toBeGreaterThan(0);
    }
  },
);

test('before: stop and session kill ended nothing when the database could not be opened', limit, async () => {
  for (const subject of ['run', 'session'] as const) {
    using folder = tempFolder();
    using project = brokenProject(folder.path, subject);
    await project.begin(subject === 'run' ? 'foreground' : 'conductor');
    await project.loseDatabase();
    const words = subject === 'run' ? ['stop', 'r'] : ['session', 'kill', project.id, '--force'];
    expect((await project.tutti(...words)).code).toBe(69);
    expect(project.alive().length).toBeGreaterThan(0);
  }
});

test('before: stop without a name was refused although one run was under way', limit, async () => {
  using folder = tempFolder();
  using project = brokenProject(folder.path, 'run');
  await project.begin('foreground');
  expect((await project.tutti('stop')).code).toBe(64);
  expect(project.alive().length).toBeGreaterThan(0);
});

test(
  'before: the conductor claimed the run of a command that was held up, which then exited with 1',
  limit,
  async () => {
    using folder = tempFolder();
    const { holder, end } = await holdUpCommand(realpathSync(folder.path), program);
    expect(holder).toBe('conductor');
    expect(end.code).toBe(1);
  },
);

test('before: plan && execute broke, because the conductor claimed the run in between', limit, async () => {
  const { holder, end } = await holdUpExecute(program);
  expect(holder).toBe('conductor');
  expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining('is already driven by process') });
});

test('before: one Ctrl-C named no agent that still worked', limit, async () => {
  expect(await saidAfterInterrupt(program)).toBe(
    'halting: what is under way may finish, nothing new starts (Ctrl-C again stops it)',
  );
});

test('before: execute after Ctrl-C was refused with 24', limit, async () => {
  expect(await executeAfterInterrupt(program)).toEqual({ code: 24, turns: [] });
});

test('before: execute stayed after its error where git was not installed', limit, async () => {
  expect(await executeWithoutGit(program)).toEqual({
    code: null,
    said: expect.stringContaining('git cannot be started') as string,
  });
});

test('before: resume of a plan after Ctrl-C and stop exited with 0 and ran nothing', limit, async () => {
  expect(await resumePlanAfterStop(program)).toEqual({ code: 0, turns: [] });
});

test('before: resuming after stop paid for the interrupted turn from zero', limit, async () => {
  const launches = await resumeConversation(program);
  expect(launches).toHaveLength(2);
  expect(launches.filter((args) => args.includes('thread-1'))).toEqual([]);
});

test('before: the tmux server of a project stayed after its last pane', limit, async (context) => {
  needProgram(context, 'tmux');
  const keeperOnly = 'iw-keeper\n';
  expect(await tmuxAfterLastPane((sessions) => sessions === keeperOnly, program)).toBe(keeperOnly);
});

test(
  'before: a run that could not write said nothing, and a conductor continued it unasked',
  limit,
  async () => {
    const { said, status, unasked } = await couldNotWrite(program);
    expect({ said, told: /could not write/.test(status) }).toEqual({ said: false, told: false });
    expect(unasked).toBeGreaterThan(0);
  },
);
