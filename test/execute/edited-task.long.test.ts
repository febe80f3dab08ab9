import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PayProject, plan, until } from '../pay/project.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import type { ProgramEnd, StartedProgram } from '../rig/program.ts';

const slow = { timeout: hangLimitMs };
const runId = `${plan}-execute`;
const file = `.tutti/plans/${plan}/tasks/T002.json`;
const [before, after] = ['node --test test/print.test.js', 'node --check test/print.test.js'];
const loads = `load the edits: tutti execute --plan ${plan}`;
const verifies = `have the edits verified: tutti plan --plan ${plan}`;

interface Shown {
  readonly status: string;
  readonly edited: boolean;
  readonly verification: unknown;
  readonly definition: { readonly acceptance_criteria: readonly { readonly verification: string }[] };
}

/** An approved plan whose first task is at work; the second needs it, and has not begun. */
async function executing(project: PayProject): Promise<StartedProgram> {
  const planned = await project.runAsPerson('plan', 'records.md', '--yes', '--trust');
  expect(planned.code, planned.stderr).toBe(0);
  project.forgetTurns();
  project.hold('T001');
  const execution = project.startAsPerson('execute', '--trust');
  await until(() => project.turns().includes('T001'));
  return execution;
}

async function killed(project: PayProject): Promise<void> {
  const execution = await executing(project);
  execution.child.kill('SIGKILL');
  await execution.ended;
  project.release('T001');
}

async function shown(project: PayProject): Promise<Shown> {
  return JSON.parse((await project.run('task', 'show', 'T002', '--json')).stdout) as Shown;
}

function expectRefused(end: ProgramEnd, hint = verifies): void {
  expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining('changed T002') });
  expect(end.stderr).toContain(hint);
}

/** Nothing of the task was run, and no criterion of it is shown as passed. */
async function expectNotBegun(project: PayProject): Promise<void> {
  expect(project.turns()).not.toContain('T002');
  expect(await shown(project)).toMatchObject({ status: 'pending', verification: null });
  expect((await project.run('task', 'show', 'T002')).stdout).not.toContain('PASS');
}

async function expectDoneBy(project: PayProject, verification: string): Promise<void> {
  expect(project.turns().filter((turn) => turn === 'T002')).toHaveLength(1);
  expect(await shown(project)).toMatchObject({
    status: 'done',
    edited: false,
    verification: { verdict: 'PASS' },
    definition: { acceptance_criteria: [{ verification }] },
  });
  const { stdout } = await project.run('events', runId, '--json');
  expect(stdout).toContain('T002/accept-1');
}

/** Has the loaded edit verified and approved. */
async function approve(project: PayProject): Promise<void> {
  const planned = await project.runAsPerson('plan', '--plan', plan, '--trust');
  expect(planned.code, planned.stderr).toBe(3);
  const approved = await project.runAsPerson('plan', 'approve');
  expect(approved.code, approved.stderr).toBe(0);
}

test(
  'resume refuses to work by the definition that a task had before its file was edited',
  slow,
  async () => {
    using project = new PayProject();
    await killed(project);
    project.edit(file, before, after);
    for (const names of [[], [plan], [runId]])
      expectRefused(await project.runAsPerson('resume', ...names, '--trust'));
    expect((await project.run('status', runId)).stdout).toContain(verifies);
    await expectNotBegun(project);
    expect((await shown(project)).edited).toBe(true);
    // The control: without the edit, the same command runs the task.
    project.edit(file, after, before);
    const resumed = await project.runAsPerson('resume', runId, '--trust');
    expect(resumed.code, resumed.stderr).toBe(0);
    await expectDoneBy(project, before);
  },
);

test(
  'an edit that execute loaded is run after its approval, and never by resume in its old form',
  slow,
  async () => {
    using project = new PayProject();
    await killed(project);
    project.edit(file, before, after);
    const loaded = await project.runAsPerson('execute', '--trust');
    expect(loaded).toMatchObject({ code: 1, stderr: expect.stringContaining(`tutti plan --plan ${plan}`) });
    expectRefused(await project.runAsPerson('resume', runId, '--trust'));
    await expectNotBegun(project);
    await approve(project);
    expectRefused(await project.runAsPerson('resume', runId, '--trust'), loads);
    const executed = await project.runAsPerson('execute', '--trust');
    expect(executed.code, executed.stderr).toBe(0);
    await expectDoneBy(project, after);
  },
);

test(
  'a task that is edited while its plan is executed fails before it begins, and land names the edit',
  slow,
  async () => {
    using project = new PayProject();
    const execution = await executing(project);
    project.edit(file, before, after);
    project.release('T001');
    const ended = await execution.ended;
    expect(ended.code, ended.stdout).toBe(1);
    expect(ended.stdout).toContain('T002 was not begun: its definition was edited after the run loaded it');
    expect(ended.stdout).toContain(verifies);
    expect(ended.stdout).not.toContain('tutti resume');
    await expectNotBegun(project);
    const landed = await project.runAsPerson('land');
    expect(landed).toMatchObject({ code: 0, stdout: expect.stringContaining('changed T002') });
    expect(landed.stdout).toContain(verifies);
    expect(existsSync(join(project.path, 'src/parse.js'))).toBe(true);
    expect(existsSync(join(project.path, 'src/print.js'))).toBe(false);
    project.edit(file, after, before);
    const resumed = await project.runAsPerson('resume', runId, '--trust');
    expect(resumed.code, resumed.stderr).toBe(0);
    await expectDoneBy(project, before);
  },
);

test(
  'the edit of a task of a halted plan is loaded and run by the commands that are named',
  slow,
  async () => {
    using project = new PayProject();
    const execution = await executing(project);
    expect((await project.runAsPerson('halt', '--plan', plan)).code).toBe(0);
    project.release('T001');
    expect((await execution.ended).code).toBe(24);
    project.edit(file, before, after);
    const clears = `end the halt: tutti resume ${plan} --clear-only; then ${verifies}`;
    expectRefused(await project.runAsPerson('resume', '--trust'), clears);
    expect((await project.run('check-halt', '--plan', plan)).code).toBe(1);
    expect((await project.runAsPerson('resume', plan, '--clear-only')).code).toBe(0);
    await approve(project);
    const executed = await project.runAsPerson('execute', '--trust');
    expect(executed.code, executed.stderr).toBe(0);
    await expectDoneBy(project, after);
  },
);
