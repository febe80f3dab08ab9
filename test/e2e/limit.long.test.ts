import { realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Tutti } from '../../src/app/tutti.ts';
import { isAlive } from '../../src/lib/process/identity.ts';
import { tutti, writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { statusOf, until, untilEnded } from './project.ts';
import { openTutti } from '../rig/trust.ts';

const ids = ['one', 'two', 'three', 'four', 'five', 'six'];

const flow = {
  name: 'six',
  concurrency: 2,
  steps: [
    { id: 'one', agent: 'coder', prompt: 'step one' },
    { id: 'two', agent: 'coder', prompt: 'step two', needs: ['one'] },
    // Independent of the step that meets the limit.
    { id: 'three', agent: 'coder', prompt: 'step three' },
    { id: 'four', agent: 'coder', prompt: 'step four', needs: ['three'] },
    { id: 'five', agent: 'coder', prompt: 'step five', needs: ['four'] },
    { id: 'six', agent: 'coder', prompt: 'step six', needs: ['two', 'five'] },
  ],
};

/** Every turn that is answered costs one dollar; one that meets the limit is not answered. */
function cassette(limited: boolean): object {
  const paid = { result: { status: 'success', summary: 'done' }, usage: { input_tokens: 10, cost_usd: 1 } };
  const limit = { limit: { reset_in: '20s' }, events: [{ conversation: 'talk-of-two' }] };
  return {
    turns: [
      ...(limited ? [{ match: { step: 'two', turn: 1 }, ...limit }] : []),
      ...(limited ? [{ match: { step: 'two/resume-1' }, ...paid }] : []),
      ...ids.map((id) => ({ match: { step: id }, ...paid })),
    ],
  };
}

function opened(folder: string): Tutti {
  const found = openTutti({ folder, env: { PATH: process.env['PATH'], HOME: folder }, create: false });
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

async function costOf(seen: Tutti): Promise<number | undefined> {
  return (await seen.queries.budget('r'))?.spent.costUsd;
}

test('a usage limit in the middle parks its step, lets the others go on, and costs not one turn more', async () => {
  using folder = tempFolder();
  using plain = tempFolder();
  const [path, other] = [realpathSync(folder.path), realpathSync(plain.path)];
  writeProject(path, { 'flow.yaml': flow, 'cassette.yaml': cassette(true) });
  writeProject(other, { 'flow.yaml': flow, 'cassette.yaml': cassette(false) });
  expect((await tutti(other, 'run', 'flow.yaml', '--run-id', 'r')).code).toBe(0);

  const started = await tutti(path, 'run', 'flow.yaml', '--run-id', 'r', '--detach');
  expect(started.code, started.stderr).toBe(0);
  using seen = opened(path);
  const step = async (id: string) => (await statusOf(path, 'r')).steps.find((one) => one.id === id);
  await until('the limit is met', async () =>
    (await seen.queries.entries('r')).some(({ kind, state }) => kind === 'sleep' && state.at === 'open'),
  );
  expect(await step('two')).toMatchObject({ state: 'paused' });
  // With nobody awake the pause goes on; whoever comes next finds it.
  const conductor = await seen.queries.conductor();
  if (conductor !== null) process.kill(conductor.pid, 'SIGKILL');
  await until('the conductor is gone', () => conductor === null || !isAlive(conductor));
  const resumed = await tutti(path, 'resume', 'r');
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(await untilEnded(path, 'r')).toMatchObject({ outcome: 'SUCCESS' });

  const sessions = await seen.queries.sessions.ofRun('r');
  const [limited] = sessions.filter(({ outcome }) => outcome === 'LIMIT_PAUSED');
  const later = sessions.find(({ continues }) => continues === limited?.id);
  expect(later).toMatchObject({ outcome: 'SUCCESS', turn: 2 });
  expect(await seen.queries.spec('r', later?.key ?? '')).toMatchObject({ conversation: 'talk-of-two' });
  expect(sessions.filter(({ outcome }) => outcome === 'SUCCESS')).toHaveLength(6);
  // The others did not wait for it.
  const five = sessions.find(({ key }) => key.startsWith('five@'));
  expect(five?.endedAt).toBeLessThan(later?.startedAt ?? 0);
  using without = opened(other);
  expect(await costOf(seen)).toBe(await costOf(without));
  expect(await costOf(seen)).toBe(6);
});
