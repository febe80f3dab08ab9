import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli } from '../cli/rig.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { recordEnded } from '../../src/app/sessions/record-ended.ts';
import { sendToSession } from '../../src/app/sessions/send.ts';
import { waitForSession } from '../../src/app/session-control/wait.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { identify, isAlive } from '../../src/lib/process/identity.ts';
import { until } from '../rig/attempt-rig.ts';
import { needProgram } from '../rig/need-program.ts';
import { SessionProject } from './project.ts';

/** kill -9 of whoever advances, as a crash would. */
async function crash(tutti: Tutti): Promise<void> {
  await until('a conductor advances', async () => (await tutti.queries.conductor()) !== null);
  const conductor = await tutti.queries.conductor();
  if (conductor === null) throw new Error('there is no conductor');
  process.kill(conductor.pid, 'SIGKILL');
  await until('it is gone', () => !isAlive(conductor));
}

async function untilHeld(tutti: Tutti, ids: readonly string[]): Promise<void> {
  await until('the conductor advances all', async () => {
    const conductor = await tutti.queries.conductor();
    const holders = await Promise.all(ids.map((id) => tutti.queries.holder(id)));
    return conductor !== null && holders.every((holder) => holder?.pid === conductor.pid);
  });
}

test('five sessions outlive a killed orchestrator: all are adopted, none is started again', async (context) => {
  needProgram(context, 'tmux');
  await using project = new SessionProject();
  const tutti = project.open();
  const kinds = [
    { driver: 'mine', host: 'headless' },
    { driver: 'chat', host: 'headless' },
    { driver: 'mine', host: 'tmux' },
    { driver: 'chat', host: 'tmux' },
    { driver: 'mine', host: 'headless' },
  ] as const;
  const ids = kinds.map((kind) => project.createApart('wait go', kind));
  await untilHeld(tutti, ids);
  await crash(tutti);
  const pids = ids.map((id) => project.state(id)['pid']);
  expect(await tutti.queries.sessions.launched()).toHaveLength(5);
  project.go('go');
  for (const [index, id] of ids.entries()) {
    if (kinds[index]?.driver === 'chat') {
      expect(await sendToSession(tutti, { id, text: 'end', timeoutMs: hangLimitMs })).toMatchObject({
        ok: true,
      });
    }
    expect(await waitForSession(tutti, id, hangLimitMs)).toMatchObject({ value: { id, outcome: 'SUCCESS' } });
  }
  expect(ids.map((id) => project.state(id)['pid'])).toEqual(pids);
  expect(project.ledger()).toHaveLength(5);
  expect((await Promise.all(ids.map((id) => tutti.queries.sessions.ofRun(id)))).flat()).toHaveLength(5);
});

test('after a reboot nothing is adopted by mistake, and whoever has the old pid now is left alone', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const id = project.createApart('wait go');
  await untilHeld(tutti, [id]);
  await crash(tutti);
  const path = join(project.path, '.tutti', 'sessions', id, 'started');
  const [, pid = ''] = /^started (\d+) /.exec(readFileSync(path, 'utf8')) ?? [];
  process.kill(-Number(pid), 'SIGKILL');
  await until('its processes are gone', () => identify(Number(pid)) === null);
  // The record of another boot that names this very process: pid and start time fit, the boot does not.
  const me = identify(process.pid);
  const text = readFileSync(path, 'utf8');
  const [, , , boot = ''] = text.split(' ');
  writeFileSync(
    path,
    text
      .replace(/^started \S+ \S+/, `started ${me?.pid ?? 0} ${me?.startTime ?? ''}`)
      .replace(boot, '00000000-dead-beef-0000-000000000000'),
  );
  expect(await recordEnded(tutti)).toEqual([id]);
  expect(await tutti.queries.sessions.one(id)).toMatchObject({
    status: 'FAILED',
    outcome: 'FAILURE',
    lost: true,
  });
  const options = { folder: project.path };
  const { out: listed } = await cli(options, 'session', 'list');
  expect(listed).toMatch(new RegExp(`^${id} +worker +FAILED \\(lost\\) .* - +-`, 'm'));
  const { out: shown } = await cli(options, 'session', 'status', id);
  expect(shown).toContain('Status: FAILED (lost)\n');
  expect(shown).toContain('Why: its process vanished without a result\n');
  expect(shown).toContain(`  → no process advances its run; start the turn again: tutti resume ${id}\n`);
  expect(shown).not.toContain('FAILURE');
  const json = await cli(options, 'session', 'status', id, '--json');
  expect(JSON.parse(json.out)).toMatchObject({ status: 'FAILED', lost: true });
  project.go('go');
  // Lost, not finished: its run goes on with a new session, which is the only one that ever ended.
  const ended = await waitForSession(tutti, id, hangLimitMs);
  expect(ended).toMatchObject({ value: { status: 'COMPLETED', outcome: 'SUCCESS', attempt: 2 } });
  expect(project.ledger()).toHaveLength(2);
});

test('with nobody awake a session still ends at its time limit, and its files say so at once', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const id = project.createApart('wait never', { maxDurationMs: 1500 });
  await untilHeld(tutti, [id]);
  await crash(tutti);
  await until('its state is final', () => project.state(id)['status'] === 'KILLED');
  expect(project.state(id)).toMatchObject({ status: 'KILLED', ended: 'timeout' });
  expect((await tutti.queries.sessions.one(id))?.status).toBe('RUNNING');
  expect(await recordEnded(tutti)).toEqual([id]);
  expect(await tutti.queries.sessions.one(id)).toMatchObject({ status: 'KILLED', outcome: 'TIMEOUT' });
});

test('what was to come after another starts when somebody is awake again, and says so', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const first = project.createApart('wait go');
  const second = project.createApart('ok', { after: [first] });
  await untilHeld(tutti, [first, second]);
  await until('the second waits', () => project.file(second, 'session.log').includes('Waits for'));
  await crash(tutti);
  project.go('go');
  await until('the first has ended', () => project.state(first)['status'] === 'COMPLETED');
  expect(project.state(second)['status']).toBe('CREATED');
  expect(project.ledger()).toHaveLength(1);
  expect(await waitForSession(tutti, second, hangLimitMs)).toMatchObject({ value: { outcome: 'SUCCESS' } });
  expect(project.ledger()).toHaveLength(2);
  expect(project.file(second, 'session.log')).toMatch(
    /A process advances the run again: waits for .*\n.*Starts now/,
  );
});
