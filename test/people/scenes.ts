import { join } from 'node:path';
import { PayProject, plan, until } from '../pay/project.ts';
import { approvedPlan } from '../pay/scenarios.ts';
import { installedTutti } from '../rig/installed-tutti.ts';

interface Approval {
  readonly said: string;
  readonly by: string;
  readonly reason: string | null;
}

async function approvalOf(project: PayProject): Promise<Approval | null> {
  const { stdout } = await project.run('plan', 'status', '--plan', plan, '--json');
  return (JSON.parse(stdout) as { readonly approval: Approval | null }).approval;
}

/** An agent answers the question whether its plan may be executed; returns the exit code and what the record says. */
export async function planApprovedInside(
  program?: string,
): Promise<{ readonly code: number | null; readonly approval: Approval | null }> {
  using project = new PayProject(program);
  await project.run('plan', 'records.md');
  const { code } = await project.runInside('answer', 'Q1', 'approve');
  if (code === 0) await until(async () => (await approvalOf(project)) !== null);
  const approval = await approvalOf(project);
  await project.run('stop', '--all');
  return { code, approval };
}

/**
 * `tutti plan --yes` ends with a question, a task is edited, and the question is answered: what the record says about the
 * edited tasks, and what the run asks.
 */
export async function editedAfterYes(
  program?: string,
): Promise<{ readonly approval: Approval | null; readonly asks: boolean }> {
  using project = new PayProject(program);
  project.write('mood.json', JSON.stringify([['validation', 'block']]));
  await project.run('plan', 'records.md', '--yes');
  project.write('mood.json', '[]');
  project.edit(join('.tutti', 'plans', plan, 'tasks', 'T002.json'), 'node --test', 'node --test --test-only');
  await project.run('answer', 'Q1', 'verify again');
  const asks = async (): Promise<boolean> => (await project.run('inbox')).stdout.includes(', approval  ');
  await until(async () => (await approvalOf(project)) !== null || (await asks()));
  const found = { approval: await approvalOf(project), asks: await asks() };
  await project.run('stop', '--all');
  return found;
}

/** An agent executes a plan with a higher ceiling than the person gave: how it ends, and the turns it paid for. */
export async function ceilingRaisedInside(
  program?: string,
): Promise<{ readonly code: number | null; readonly turns: readonly string[] }> {
  using project = await approvedPlan(program);
  await project.run('execute', '--batch', '--max-launches', '1');
  project.forgetTurns();
  const { code } = await project.runInside('execute', '--batch', '--max-launches', '99');
  return { code, turns: project.turns() };
}

/** An agent lands what a person had executed. */
export async function landedInside(
  program?: string,
): Promise<{ readonly code: number | null; readonly landed: boolean }> {
  using project = await approvedPlan(program);
  await project.run('execute', '--batch');
  const { code } = await project.runInside('land', '--plan', plan);
  return { code, landed: project.read('src/parse.js') !== '' };
}

/** An agent whose file does not allow sessions starts one: how that ends, and how many sessions there are. */
export async function sessionStartedInside(
  program?: string,
): Promise<{ readonly code: string; readonly sessions: number }> {
  using project = new PayProject(program);
  project.write('task.md', 'Work.');
  const words = [program ?? installedTutti(), 'session', 'create', 'task-executor', 'task.md'];
  project.write(
    'worker.mjs',
    `import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
if (!existsSync('code')) {
  writeFileSync('code', '');
  writeFileSync('code', String(spawnSync(process.execPath, ${JSON.stringify(words)}).status));
}`,
  );
  const created = await project.run('session', 'create', 'task-executor', 'task.md', '--json');
  const { session_id: id } = JSON.parse(created.stdout) as { readonly session_id: string };
  await project.run('session', 'wait', id);
  const { stdout } = await project.run('session', 'list');
  await project.run('stop', '--all');
  return { code: project.read('code'), sessions: stdout.split('-task-executor').length - 1 };
}
