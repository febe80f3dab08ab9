import { expect, test } from 'vitest';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { createSession } from '../../src/app/session-control/create.ts';
import { killSession } from '../../src/app/session-control/kill.ts';
import { sendToSession } from '../../src/app/sessions/send.ts';
import { waitForSession } from '../../src/app/session-control/wait.ts';
import { until } from '../rig/attempt-rig.ts';
import { writeProject } from '../rig/program.ts';
import { SessionProject } from './project.ts';

test('a session is created, runs, and hands over what the document says', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const session = await project.create(tutti, '# Do it\n', { tags: ['one', 'two'] });
  expect(session.id).toMatch(/^\d{8}-\d{6}-worker$/);
  const ended = await waitForSession(tutti, session.id, hangLimitMs);
  expect(ended).toMatchObject({
    ok: true,
    value: { id: session.id, status: 'COMPLETED', outcome: 'SUCCESS' },
  });
  expect(project.file(session.id, 'prompt.md')).toBe('# Do it\n');
  expect(JSON.parse(project.file(session.id, 'result.json'))).toEqual({ status: 'success', summary: 'done' });
  expect(project.state(session.id)).toMatchObject({
    session_id: session.id,
    agent: 'worker',
    status: 'COMPLETED',
    exit_code: 0,
    outcome: 'SUCCESS',
    tags: ['one', 'two'],
    parent_session: null,
    tmux_session: null,
    metadata: { max_duration_seconds: 1800, priority: 'normal' },
    requester: expect.stringMatching(/^user:/),
  });
  expect(project.file(session.id, 'stdin')).toContain('Change no file of the project');
});

test('a retry is a session of its own, with what went wrong in its prompt; the same failure twice ends it', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const session = await project.create(tutti, 'fail', { retry: 5 });
  const ended = await waitForSession(tutti, session.id, hangLimitMs);
  expect(ended).toMatchObject({ ok: true, value: { status: 'FAILED', outcome: 'FAILURE' } });
  const all = await tutti.queries.sessions.ofRun(session.id);
  expect(all.map(({ status, turn }) => [status, turn])).toEqual([
    ['FAILED', 1],
    ['FAILED', 2],
  ]);
  expect(all[1]?.continues).toBe(session.id);
  expect(project.file(all[1]?.id ?? '', 'prompt.md')).toContain('Previous attempt failed with');
  expect((await tutti.queries.run(session.id))?.state).toMatchObject({
    at: 'ended',
    outcome: 'NEEDS_ESCALATION',
  });
});

test('a session that comes after others starts when they have succeeded, and not at all when one failed', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const first = await project.create(tutti, 'wait go');
  const second = await project.create(tutti, 'ok', { after: [first.id] });
  expect(second.status).toBe('CREATED');
  expect(project.state(second.id)).toMatchObject({ status: 'CREATED', activity: 'starting' });
  await until('the first works', () => project.ledger().length === 1);
  project.go('go');
  expect(await waitForSession(tutti, second.id, hangLimitMs)).toMatchObject({
    value: { outcome: 'SUCCESS' },
  });
  expect(project.ledger().map((line) => line.split(' ')[0])).toEqual([first.id, second.id]);

  const failing = await project.create(tutti, 'fail');
  const never = await project.create(tutti, 'ok', { after: [failing.id] });
  expect(await waitForSession(tutti, never.id, hangLimitMs)).toMatchObject({ value: { status: 'FAILED' } });
  expect((await tutti.queries.run(never.id))?.state).toMatchObject({
    failure: { message: expect.stringContaining(failing.id) },
  });
  expect(project.ledger()).toHaveLength(3);
  await until('the view says so', () => project.state(never.id)['status'] === 'FAILED');
});

test('what is sent to an agent that listens arrives, and is acknowledged; others say why not', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const chat = await project.create(tutti, 'talk', { driver: 'chat' });
  const deaf = await project.create(tutti, 'wait go');
  const send = (id: string, text: string) => sendToSession(tutti, { id, text, timeoutMs: hangLimitMs });
  expect(await send(chat.id, "it's `here` $(x);")).toMatchObject({ ok: true });
  await until('it answers', () => project.file(chat.id, 'output.log').includes("heard: it's `here` $(x);"));
  expect(await send(deaf.id, 'hello')).toMatchObject({
    error: { outcome: 'UNAVAILABLE', message: 'driver mine accepts no messages while it works' },
  });
  // A driver that resumes conversations can be told more after the end.
  writeProject(project.path, { 'tutti.yaml': { driver: 'mine', drivers: { mine: { type: 'claude' } } } });
  const resuming = { id: deaf.id, text: 'hello', timeoutMs: hangLimitMs };
  expect(await sendToSession(project.open(), resuming)).toMatchObject({
    error: {
      hint: `wait for it to end: tutti session wait ${deaf.id}; then continue its conversation: tutti session continue ${deaf.id} "…"`,
    },
  });
  expect(await send(chat.id, 'end')).toMatchObject({ ok: true });
  expect(await waitForSession(tutti, chat.id, hangLimitMs)).toMatchObject({ value: { outcome: 'SUCCESS' } });
  expect(await send(chat.id, 'late')).toMatchObject({
    error: { message: 'Session not active (status: COMPLETED)' },
  });
});

test('a killed session ends with its whole tree and its reason, before it started as well as while it works', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const running = await project.create(tutti, 'wait never');
  await until('it works', () => project.ledger().length === 1);
  const waiting = await project.create(tutti, 'ok', { after: [running.id] });
  const kill = (id: string) => killSession(tutti, { id, reason: 'not needed', by: 'user:x' });
  expect(await kill(waiting.id)).toMatchObject({ value: { how: 'killed', session: { status: 'KILLED' } } });
  expect(await kill(running.id)).toMatchObject({ value: { how: 'killed', session: { status: 'KILLED' } } });
  expect(await kill(running.id)).toMatchObject({ value: { how: 'already' } });
  expect(project.state(running.id)).toMatchObject({ status: 'KILLED', ended: 'killed' });
  expect(project.state(waiting.id)).toMatchObject({ status: 'KILLED' });
  expect(project.ledger()).toHaveLength(1);
  expect(await tutti.queries.sessions.launched()).toEqual([]);
});

test('a result is checked against the schema that the caller gave, and none is needed where it is optional', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const optional = await project.create(tutti, 'silent', { result: 'optional' });
  const required = await project.create(tutti, 'silent');
  expect(await waitForSession(tutti, optional.id, hangLimitMs)).toMatchObject({
    value: { outcome: 'SUCCESS' },
  });
  expect(await waitForSession(tutti, required.id, hangLimitMs)).toMatchObject({
    value: { status: 'COMPLETED', outcome: 'FAILURE' },
  });
});

test('a person who asks for one more than there are slots is refused, and nothing is left behind', async () => {
  await using project = new SessionProject({ max_sessions: 1 });
  const tutti = project.open();
  const first = await project.create(tutti, 'wait go');
  const refused = await createSession(tutti, project.request('ok'));
  expect(refused).toMatchObject({
    error: { outcome: 'BUDGET_EXCEEDED', message: 'Max concurrent sessions (1) reached' },
  });
  expect(await tutti.queries.runs(null)).toHaveLength(1);
  project.go('go');
  expect(await waitForSession(tutti, first.id, hangLimitMs)).toMatchObject({ ok: true });
  expect(await createSession(tutti, project.request('ok'))).toMatchObject({ ok: true });
});
