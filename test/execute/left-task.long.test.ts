import { expect, test } from 'vitest';
import { PayProject, plan } from '../pay/project.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';

interface Row {
  readonly task_id: string;
  readonly status: string;
}

interface Status {
  readonly steps: readonly { readonly id: string; readonly state: string }[];
}

/** What `task list` and `status` say of a task. */
async function told(project: PayProject, task: string): Promise<readonly unknown[]> {
  const list = (await project.run('task', 'list', '--plan', plan, '--json')).stdout.trim().split('\n');
  const rows = list.flatMap((line) => JSON.parse(line) as Row | readonly Row[]);
  const { steps } = JSON.parse((await project.run('status', `${plan}-execute`, '--json')).stdout) as Status;
  return [rows.find(({ task_id }) => task_id === task)?.status, steps.find(({ id }) => id === task)?.state];
}

test('a task that execute --task leaves out is failed in no list unless it failed before, and then in all of them', {
  timeout: hangLimitMs,
}, async () => {
  using project = new PayProject(undefined, 3);
  const execute = (...args: readonly string[]) => project.runAsPerson('execute', ...args, '--trust');
  expect((await project.runAsPerson('plan', 'records.md', '--yes', '--trust')).code).toBe(0);
  expect((await execute('--task', 'T001')).code).toBe(0);
  project.rules({ T002: { nothing: true }, T003: { nothing: true } });
  expect((await execute('--task', 'T002')).code).toBe(11);
  expect(await told(project, 'T003')).toEqual(['ready', 'pending']);
  expect((await execute()).code).toBe(11);
  expect(await told(project, 'T003')).toEqual(['failed', 'failed']);
  project.rules({});
  expect((await execute('--task', 'T002')).code).toBe(0);
  expect(await told(project, 'T002')).toEqual(['done', 'done']);
  expect(await told(project, 'T003')).toEqual(['failed', 'failed']);
});
