import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PayProject, plan } from '../pay/project.ts';
import { until } from '../rig/attempt-rig.ts';
import { deleteDatabase } from './lost-work.ts';

/** As a crash leaves the project: the agents of these tasks work, and nothing of the database or its copies is left. */
async function loseWhileWorking(project: PayProject, tasks: readonly string[]): Promise<void> {
  const before = project.turns().length;
  for (const task of tasks) project.hold(task);
  const command = project.start('execute', '--batch');
  await until('agents work', () => tasks.every((task) => project.turns().slice(before).includes(task)));
  command.child.kill('SIGKILL');
  await command.ended;
  deleteDatabase(project.path);
  rmSync(join(project.path, '../home/state/tutti/backups'), { recursive: true });
}

/** Turns that were begun after that. */
function since(project: PayProject, before: readonly string[]): readonly string[] {
  return project.turns().slice(before.length).toSorted();
}

/** The command that continues the tasks is past what it does to workspaces when it has judged the first task again. */
async function continueWith(project: PayProject, tasks: readonly string[], ...args: readonly string[]) {
  const judged = (): number => project.turns().filter((turn) => turn === 'T001/verify').length;
  const before = judged();
  const command = project.start(...args);
  await until('the first task is judged', () => judged() > before);
  for (const task of tasks) project.release(task);
  return command.ended;
}

test('after a recovery without the plan, its agents keep working and are taken up when it is executed again', {
  timeout: 300_000,
}, async () => {
  using project = new PayProject(undefined, 3);
  await project.run('plan', 'records.md', '--yes');
  await loseWhileWorking(project, ['T002', 'T003']);

  const recovered = await project.run('recover');
  const again = `plan it again: tutti plan SPEC --plan ${plan}; then: tutti execute --plan ${plan}`;
  expect(recovered.code).toBe(12);
  expect(recovered.stdout).toContain(`lost: plan ${plan}: `);
  expect(recovered.stdout).toContain(`  → plan ${plan}: ${again}\n`);
  expect(recovered.stdout).not.toContain('tutti resume');
  for (const run of [`${plan}-execute`, `${plan}-plan`]) {
    const { code, stderr } = await project.run('resume', run);
    expect(code, stderr).toBe(69);
    expect(stderr).toMatch(
      new RegExp(`^tutti: run ${run} cannot continue, because the record of plan ${plan} is lost\n`),
    );
    expect(stderr).toContain(again);
  }
  const status = await project.run('status', `${plan}-execute`);
  expect(status.stdout).toContain(`  → ${again}\n`);
  expect(`${status.stdout}${status.stderr}`).not.toContain('tutti resume');
  for (const args of [['execute'], ['execute', '--plan', plan], ['plan', 'status']]) {
    expect(await project.run(...args)).toMatchObject({
      code: 69,
      stderr: `tutti: the record of plan ${plan} is lost\n  → ${again}\n`,
    });
  }
  expect((await project.run('plan', 'list')).stdout).toBe(`${plan}  its record is lost\n  → ${again}\n`);
  const { stdout, stderr } = await project.run('session', 'list', '--status', 'RUNNING');
  expect(stdout.match(/ RUNNING /g)).toHaveLength(2);
  expect(stderr).not.toContain('tutti resume');

  expect((await project.run('plan', 'records.md', '--plan', plan, '--yes')).code).toBe(0);
  const before = project.turns();
  const executed = await continueWith(project, ['T002', 'T003'], 'execute', '--batch');
  expect(executed.code, executed.stderr).toBe(0);
  expect(since(project, before)).toEqual(['T001/verify', 'T002/verify', 'T003/verify']);
});

test.each([
  ['execute', ['execute', '--batch']],
  ['resume', ['resume', `${plan}-execute`]],
])('%s takes up the second attempt at a task whose plan was lost', { timeout: 300_000 }, async (_, args) => {
  using project = new PayProject();
  await project.run('plan', 'records.md', '--yes');
  project.rules({ T002: { status: 'failure' } });
  await project.run('execute', '--batch');
  project.rules({});
  await loseWhileWorking(project, ['T002']);
  await project.run('recover');
  expect((await project.run('plan', 'records.md', '--plan', plan, '--yes')).code).toBe(0);
  const before = project.turns();
  const executed = await continueWith(project, ['T002'], ...args);
  expect(executed.code, executed.stderr).toBe(0);
  expect(since(project, before)).toEqual(['T001/verify', 'T002/verify']);
});

test('a lost task that is planned differently is not executed while its agent works', {
  timeout: 300_000,
}, async () => {
  using project = new PayProject();
  await project.run('plan', 'records.md', '--yes');
  await loseWhileWorking(project, ['T002']);
  await project.run('recover');
  project.edit('records.md', 'B2 print: writes records', 'B2 show: writes records');
  expect((await project.run('plan', 'records.md', '--plan', plan, '--yes')).code).toBe(0);
  const before = project.turns();
  for (const args of [
    ['execute', '--batch'],
    ['resume', `${plan}-execute`],
  ]) {
    const { code, stderr } = await project.run(...args);
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(
      /^tutti: session \S+-task-executor\S* still works on task T002 as it was defined before the database was lost\n/,
    );
  }
  expect(since(project, before)).toEqual([]);
  const { stderr } = await project.run('execute', '--batch');
  const kill = / or end it: tutti (session kill \S+)\n/.exec(stderr)?.[1] ?? '';
  const killed = await project.run(...kill.split(' '), '--force');
  expect(killed.code, killed.stderr).toBe(0);
  project.release('T002');
  const executed = await project.run('execute', '--batch');
  expect(executed.code, executed.stderr).toBe(0);
  expect(since(project, before)).toEqual(['T001/verify', 'T002', 'T002/verify']);
});

test('stop ends the agents of a run whose plan was lost, and nothing says that the run can be resumed', {
  timeout: 300_000,
}, async () => {
  using project = new PayProject();
  await project.run('plan', 'records.md', '--yes');
  await loseWhileWorking(project, ['T002']);
  await project.run('recover');
  const run = `${plan}-execute`;
  const stopped = await project.run('stop', run);
  expect(stopped).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      new RegExp(`^run ${run} is stopped: .*\n  → plan it again: tutti plan SPEC --plan ${plan}; then: `),
    ) as string,
  });
  expect((await project.run('session', 'list', '--status', 'RUNNING')).stdout).not.toContain(' RUNNING ');
  const status = await project.run('status', run);
  expect(status.stdout).toContain(`  → plan it again: tutti plan SPEC --plan ${plan}; then: `);
  expect((await project.run('resume', run)).code).toBe(69);
  project.release('T002');
  expect((await project.run('plan', 'records.md', '--plan', plan, '--yes')).code).toBe(0);
  const executed = await project.run('execute', '--batch');
  expect(executed.code, executed.stderr).toBe(0);
});
