import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identify, isAlive } from '../../src/lib/process/identity.ts';
import { until } from '../rig/attempt-rig.ts';
import { startTutti, tutti } from '../rig/program.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { PayProject, plan } from '../pay/project.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { ledger, statusOf, writeShellProject } from './project.ts';

const flow = {
  name: 'slow',
  steps: [
    { id: 'slow', agent: 'coder', prompt: 'slow' },
    { id: 'quick', needs: ['slow'], agent: 'coder', prompt: 'quick' },
  ],
};

interface Held {
  readonly driven_by: number | null;
  readonly silent_holder: { readonly pid: number; readonly why: string } | null;
}

/** Runs `work` while a process is suspended; it continues in any case, and has ended when this returns. */
async function whileSuspended(pid: number, work: () => Promise<void>): Promise<void> {
  const suspended = identify(pid);
  if (suspended === null) throw new Error(`process ${pid} is not alive`);
  process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await until(`process ${pid} has ended`, () => !isAlive(suspended));
}

async function heldOf(path: string): Promise<Held & { readonly state: string }> {
  return (await statusOf(path, 'r')) as Awaited<ReturnType<typeof statusOf>> & Held;
}

test('a suspended conductor is named by status and by an attached command, which takes the run over', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeShellProject(path, flow);
  expect((await tutti(path, 'run', 'flow.yaml', '--run-id', 'r', '--detach')).code).toBe(0);
  await until('the agent works', () => ledger(path).includes('slow begin'));
  // The control: a conductor that works is no silent one.
  const before = await heldOf(path);
  expect(before).toMatchObject({ state: 'running', silent_holder: null });
  const pid = before.driven_by ?? 0;
  expect((await tutti(path, 'status', 'r')).stdout).toContain(`advanced by process ${pid}\n`);

  await whileSuspended(pid, async () => {
    expect(await heldOf(path)).toMatchObject({
      state: 'undriven',
      driven_by: null,
      silent_holder: { pid, why: expect.stringContaining('suspended') },
    });
    writeFileSync(join(path, 'go'), '');
    await until('the agent has ended', () => ledger(path).includes('slow end'));
    const { stdout, stderr } = await tutti(path, 'status', 'r');
    expect(stderr).toBe('');
    expect(stdout).toContain(
      `  process ${pid}, which holds it, does not respond: it is suspended\n` +
        `  → let it continue: kill -CONT ${pid}; or take the run over when its lease has lapsed, after 30 s: tutti resume r\n`,
    );
    expect(stdout).not.toMatch(/advanced by|starts next|· running/);
    const attached = await tutti(path, 'resume', 'r');
    expect(attached.code, attached.stderr).toBe(0);
    expect(attached.stdout).toContain(
      `process ${pid}, which holds run r, does not respond: it is suspended\n` +
        `  → let it continue: kill -CONT ${pid}; or wait: this command takes the run over when the lease of that process has lapsed\n`,
    );
    expect(attached.stdout).toContain('this command advances run r now\n');
  });
  expect(ledger(path).filter((line) => line.endsWith('begin'))).toEqual(['slow begin', 'quick begin']);
});

test('a suspended command keeps its run until its lease has lapsed, and the refusal names it', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeShellProject(path, flow);
  const command = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r']);
  await until('the agent works', () => ledger(path).includes('slow begin'));
  const pid = command.child.pid ?? 0;
  const busy = await tutti(path, 'resume', 'r');
  expect(busy.stderr).toContain(`run r is already advanced by process ${pid}`);
  await whileSuspended(pid, async () => {
    const refused = await tutti(path, 'resume', 'r');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      new RegExp(`process ${pid} on \\S+, which does not respond: it is suspended\\n`),
    );
    expect(refused.stderr).toContain(`kill -CONT ${pid}; or take the run over when its lease has lapsed`);
    expect(refused.stderr.match(/kill -CONT/g)).toHaveLength(1);
    writeFileSync(join(path, 'go'), '');
    await until('its lease has lapsed', async () => (await tutti(path, 'resume', 'r')).code === 0);
  });
  expect(await heldOf(path)).toMatchObject({ state: 'ended', outcome: 'SUCCESS' });
  expect(ledger(path).filter((line) => line.endsWith('begin'))).toEqual(['slow begin', 'quick begin']);
});

test('a task whose agent has ended is parked while the holder of its run is suspended', {
  timeout: hangLimitMs,
}, async () => {
  using project = new PayProject();
  const planned = await project.runAsPerson('plan', 'records.md', '--yes', '--trust');
  expect(planned.code, planned.stderr).toBe(0);
  project.forgetTurns();
  project.hold('T001');
  const execution = project.startAsPerson('execute', '--trust');
  await until('the agent works', () => project.turns().includes('T001'));
  const list = async (): Promise<string> => (await project.run('task', 'list')).stdout;
  const pid = execution.child.pid ?? 0;
  await whileSuspended(pid, async () => {
    // The control: its agent works, whatever the holder does.
    expect(await list()).toMatch(/^T001 +running /m);
    expect((await project.run('task', 'show', 'T001')).stdout).toContain('T001 parse · running\n');
    expect((await project.run('plan', 'status')).stdout).toContain('  at work     T001\n');
    project.release('T001');
    await until('the task is parked', async () => /^T001 +parked /m.test(await list()));
    expect((await project.run('plan', 'status')).stdout).toContain(
      `process ${pid}, which holds run ${plan}-execute, does not respond: it is suspended`,
    );
  });
});
