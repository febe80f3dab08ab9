import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { needsHolder } from '../../src/app/sessions/overdue.ts';
import { isAlive } from '../../src/lib/process/identity.ts';
import { until } from '../rig/attempt-rig.ts';
import { SessionProject } from '../sessions/project.ts';
import { cli } from './rig.ts';

test('a session that waits for another one, with nobody awake: it is mentioned, and waiting for it helps', {
  timeout: 300_000,
}, async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const first = await project.create(tutti, 'wait go');
  await until('a conductor is there', async () => (await tutti.queries.conductor()) !== null);
  const second = await project.create(tutti, 'fine', { after: [first.id] });
  const conductor = await tutti.queries.conductor();
  if (conductor === null) throw new Error('it went again');
  process.kill(conductor.pid, 'SIGKILL');
  await until('it is gone', () => !isAlive(conductor));

  // A moment later it would be noise: whoever creates a session starts a conductor, which needs a moment to be seen.
  const at = (laterMs: number) => ({
    queries: tutti.queries,
    clock: { ...tutti.clock, wall: () => second.createdAt + laterMs },
  });
  expect(await needsHolder(at(1000), second.id)).toBe(false);
  expect(await needsHolder(at(10_000), second.id)).toBe(true);
  // One that runs is seen to its end by its launcher.
  expect(await needsHolder(at(10_000), first.id)).toBe(false);

  const mention = `1 session is waiting and no process advances it; continue it: tutti session wait ${second.id}\n`;
  let seen = '';
  for (let n = 0; n < 200 && !seen.includes(mention); n += 1) {
    seen = (await cli({ folder: project.path }, 'runs')).err;
    await pause(50);
  }
  expect(seen).toBe(mention);
  project.go('go');
  expect((await cli({ folder: project.path }, 'session', 'wait', second.id)).code).toBe(0);
  expect((await cli({ folder: project.path }, 'runs')).err).toBe('');
});
