import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PayProject, plan, until } from '../pay/project.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import type { StartedProgram } from '../rig/program.ts';

const slow = { timeout: hangLimitMs };
const runId = `${plan}-execute`;
const refusedWords = /the plan was refused by \S+: too much at once/;

/** An approved plan whose first task is at work; the two others need it. */
async function executing(project: PayProject, held = 'T001'): Promise<StartedProgram> {
  const planned = await project.runAsPerson('plan', 'records.md', '--yes', '--trust');
  expect(planned.code, planned.stderr).toBe(0);
  project.forgetTurns();
  project.hold(held);
  const execution = project.startAsPerson('execute', '--trust');
  await until(() => project.turns().includes(held));
  return execution;
}

async function refuse(project: PayProject): Promise<void> {
  const refused = await project.runAsPerson('plan', 'refuse', '--reason', 'too much at once');
  expect(refused.code, refused.stderr).toBe(0);
}

/** What the commands that only look name as the next one. */
async function expectApprovalFirst(project: PayProject): Promise<void> {
  const { stdout } = await project.run('plan', 'status');
  expect(stdout).toContain(`tutti plan approve --plan ${plan}`);
  expect(stdout).not.toMatch(/→.*tutti (?:resume|land|execute)/);
}

async function expectNotLanded(project: PayProject): Promise<void> {
  const landed = await project.runAsPerson('land');
  expect(landed).toMatchObject({ code: 1, stderr: expect.stringMatching(refusedWords) });
  expect(landed.stderr).toContain(`tutti plan approve --plan ${plan}; then: tutti land --plan ${plan}`);
  expect(existsSync(join(project.path, 'src'))).toBe(false);
}

test(
  'a refusal while a plan is executed halts it before its next task, and an approval continues it',
  slow,
  async () => {
    using project = new PayProject(undefined, 3);
    const execution = await executing(project);
    await refuse(project);
    project.release('T001');
    const ended = await execution.ended;
    expect(ended.code, ended.stdout).toBe(24);
    expect(ended.stdout).toContain(`tutti plan approve --plan ${plan}; then: tutti resume ${runId}`);
    expect(project.turns()).toEqual(['T001', 'T001/verify']);
    const status = (await project.run('status', runId)).stdout;
    expect(status).toMatch(refusedWords);
    expect(status).toContain(`tutti plan approve --plan ${plan}; then`);
    await expectApprovalFirst(project);
    await expectNotLanded(project);
    expect((await project.runAsPerson('plan', 'approve')).code).toBe(0);
    const resumed = await project.runAsPerson('resume', runId, '--trust');
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(project.turns()).toHaveLength(6);
    expect((await project.runAsPerson('land')).code).toBe(0);
  },
);

test.each([
  ['tutti resume', []],
  ['tutti resume PLAN', [plan]],
  ['tutti resume RUN', [runId]],
] as const)(
  '%s does not continue the execution of a refused plan whose process was killed',
  slow,
  async (_command, names) => {
    using project = new PayProject(undefined, 3);
    const execution = await executing(project);
    execution.child.kill('SIGKILL');
    await execution.ended;
    await refuse(project);
    project.release('T001');
    const resumed = await project.runAsPerson('resume', ...names, '--trust');
    expect(resumed).toMatchObject({ code: 1, stderr: expect.stringMatching(refusedWords) });
    expect(resumed.stderr).toContain(`tutti plan approve --plan ${plan}; then: tutti resume ${runId}`);
    expect(project.turns()).toEqual(['T001']);
    await expectApprovalFirst(project);
    expect((await project.runAsPerson('plan', 'approve')).code).toBe(0);
    expect((await project.runAsPerson('execute', '--trust')).code).toBe(0);
  },
);

test.each([
  ['tutti plan', ['plan']],
  ['tutti plan --yes', ['plan', '--yes']],
] as const)(
  '%s asks again about a plan that was approved and then refused',
  slow,
  async (_command, again) => {
    using project = new PayProject(undefined, 3);
    expect((await project.runAsPerson('plan', 'records.md', '--trust')).code).toBe(3);
    expect((await project.runAsPerson('plan', 'approve')).code).toBe(0);
    expect((await project.runAsPerson('execute', '--trust')).code).toBe(0);
    await refuse(project);
    const planned = await project.runAsPerson(...again, '--trust');
    expect(planned.code, planned.stdout).toBe(3);
    expect((await project.run('inbox')).stdout).toContain('Approve plan records (');
    await expectNotLanded(project);
    expect((await project.runAsPerson('plan', 'approve')).code).toBe(0);
    expect((await project.runAsPerson('land')).code).toBe(0);
  },
);

test('a plan that is refused after its last task began is not landed', slow, async () => {
  using project = new PayProject(undefined, 3);
  const execution = await executing(project, 'T003');
  await until(() => project.turns().includes('T002/verify'));
  await refuse(project);
  project.release('T003');
  const ended = await execution.ended;
  expect(ended.stderr).not.toContain('→ merge it into your checkout');
  await expectApprovalFirst(project);
  await expectNotLanded(project);
  expect((await project.runAsPerson('plan', 'approve')).code).toBe(0);
  expect((await project.runAsPerson('land')).code).toBe(0);
});
