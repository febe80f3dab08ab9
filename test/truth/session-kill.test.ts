import { expect, test } from 'vitest';
import { killSession } from '../../src/app/session-control/kill.ts';
import { isHeld } from '../../src/app/status/living-holder.ts';
import { until } from '../rig/attempt-rig.ts';
import { cli } from '../cli/rig.ts';
import { SessionProject } from '../sessions/project.ts';
import { undriven } from '../sessions/undriven.ts';

interface RunForm {
  readonly run_id: string;
  readonly state: string;
  readonly outcome: string | null;
}

/** What commands say of a session's run and of the session itself. */
async function shown(project: SessionProject, id: string) {
  const type = async (...words: readonly string[]) =>
    (await cli({ folder: project.path, stdin: '' }, ...words)).out;
  const lines = (await type('runs', '--sessions', '--json')).trim().split('\n');
  const run = lines.map((line) => JSON.parse(line) as RunForm).find(({ run_id }) => run_id === id);
  const status = JSON.parse(await type('status', id, '--json')) as RunForm;
  const running = await type('session', 'list', '--status', 'RUNNING', '--json');
  const text = [
    await type('runs', '--sessions'),
    await type('status', id),
    await type('session', 'status', id),
  ];
  return { run, status, running, text: text.join('\n') };
}

test('a session that was killed leaves no run that is shown as running', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const { id } = await project.create(tutti, 'wait never');
  await project.untilStatus(tutti, id, 'RUNNING');
  await until('the conductor advances its run', () => isHeld(tutti, id));
  expect((await shown(project, id)).run?.state).toBe('running');
  const killed = await cli({ folder: project.path, stdin: '' }, 'session', 'kill', id, '--force');
  expect(killed.code, killed.err).toBe(0);
  const after = await shown(project, id);
  expect(after.run).toMatchObject({ state: 'ended', outcome: 'INTERRUPTED' });
  expect(after.status).toMatchObject({ state: 'ended', outcome: 'INTERRUPTED' });
  expect(after.running).toBe('');
  expect(after.text).not.toMatch(/\brunning\b|RUNNING|●/);
});

test('a session that was killed while no process advanced its run leaves none that is shown as running', async () => {
  await using project = new SessionProject();
  await using conductor = await undriven(project);
  const id = project.createApart('wait never');
  await until('it runs', () => project.state(id)['status'] === 'RUNNING');
  const killed = await killSession(conductor.tutti, { id, reason: 'enough', by: 'test' });
  expect(killed.ok).toBe(true);
  const after = await shown(project, id);
  expect(after.run).toMatchObject({ state: 'ended', outcome: 'INTERRUPTED' });
  expect(after.running).toBe('');
  expect(after.text).not.toMatch(/\brunning\b|RUNNING|●/);
});
