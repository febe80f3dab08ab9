import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeRows } from '../rig/change-rows.ts';
import { markOf } from '../../src/app/host/attempt-folder.ts';
import { moveFolder, removeCopied } from '../../src/app/sessions/archive-move.ts';
import { archiveSessions, type Archived } from '../../src/app/sessions/archive.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import type { Session } from '../../src/model/session.ts';
import { sessionStatusForm } from '../../src/model/schemas/session-output.ts';
import { anySession } from '../../src/model/ports/session-queries.ts';
import { contentsOf } from '../cli/project.ts';
import { cli } from '../cli/rig.ts';
import { until } from '../rig/attempt-rig.ts';
import { newRun } from '../rig/engine.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { facts, finished, sessionOf } from './finished.ts';
import { SessionProject } from './project.ts';
import { startOnly } from './undriven.ts';

const day = 86_400_000;

async function refusedWith(tutti: Tutti, { id }: Session): Promise<string> {
  const before = contentsOf(tutti.paths.session(id));
  const done = await archiveSessions(tutti, { id });
  if (done.ok) return 'archived';
  expect(contentsOf(tutti.paths.session(id))).toEqual(before);
  expect((await sessionOf(tutti, id)).archivedAt).toBeNull();
  return done.error.message;
}

async function bulk(
  tutti: Tutti,
  choice: Partial<typeof anySession> = {},
  olderThanMs = 0,
): Promise<Archived> {
  const done = await archiveSessions(tutti, { filter: { ...anySession, ...choice }, olderThanMs });
  if (!done.ok) throw new Error(done.error.message);
  return done.value;
}

function crossDevice(): never {
  throw Object.assign(new Error('cross-device link not permitted'), { code: 'EXDEV' });
}

test('a session that is over moves into the archive as it is, and is told so', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const session = await finished(project, tutti);
  const before = contentsOf(tutti.paths.session(session.id));
  expect(await archiveSessions(tutti, { id: session.id })).toEqual({
    ok: true,
    value: { archived: [session.id], refused: [] },
  });
  expect(existsSync(tutti.paths.session(session.id))).toBe(false);
  expect(contentsOf(tutti.paths.archived(session.id))).toEqual(before);
  expect((await sessionOf(tutti, session.id)).archivedAt).not.toBeNull();
  const told = await tutti.queries.audit.events(
    {
      since: 0,
      session: session.id,
      types: ['session.archived'],
    },
    0,
    1000,
  );
  expect([...told]).toHaveLength(1);
  expect(await archiveSessions(tutti, { id: session.id })).toMatchObject({
    error: { message: `session ${session.id} is archived already` },
  });
});

test('what has not ended, or can be tried again, stays', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const session = await finished(project, tutti);
  const set = (sql: string) => changeRows(tutti, `update ${sql} where id = ?`, session.id);
  set(`sessions set status = 'RUNNING'`);
  expect(await refusedWith(tutti, session)).toContain('has not ended (status: RUNNING)');
  set(`sessions set status = 'COMPLETED', outcome = null`);
  expect(await refusedWith(tutti, session)).toContain('has no recorded outcome');
  set(`sessions set outcome = 'FAILURE'`);
  set(`runs set state = 'running'`);
  expect(await refusedWith(tutti, session)).toContain(`is not recorded in its run ${session.runId} yet`);
  set(`runs set state = 'ended'`);
  expect(await refusedWith(tutti, session)).toBe('archived');
});

test('inside a larger run that goes on, a session may go when its result is recorded', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const session = await finished(project, tutti);
  await tutti.store.start(newRun('larger', 'flow'));
  const claim = await tutti.store.claim('larger', facts(tutti), 60_000);
  if (claim.at !== 'claimed') throw new Error(claim.at);
  const fence = { runId: 'larger', epoch: claim.image.run.epoch };
  changeRows(tutti, `update sessions set run = 'larger' where id = ?`, session.id);
  expect(await refusedWith(tutti, session)).toContain('is not recorded in its run larger yet');
  await tutti.store.open(fence, { key: session.key, kind: 'session', spec: null, priority: 0 });
  expect(await refusedWith(tutti, session)).toContain('is not recorded in its run larger yet');
  await tutti.store.complete(
    { runId: 'larger', key: session.key, attempt: 1 },
    { at: 'done', outcome: 'SUCCESS', value: null },
    null,
  );
  expect(await refusedWith(tutti, session)).toBe('archived');
  await tutti.store.finish(fence, { outcome: 'SUCCESS', value: null, failure: null });
});

test('a session with a living process stays, whatever the tables say', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const session = await finished(project, tutti);
  const child = spawn('sleep', ['60'], {
    env: { PATH: process.env['PATH'], TUTTI_ATTEMPT_ID: markOf(tutti, session) },
    stdio: 'ignore',
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  try {
    await until('its environment is there', () =>
      readFileSync(`/proc/${child.pid}/environ`, 'utf8').includes('TUTTI_ATTEMPT_ID'),
    );
    expect(await refusedWith(tutti, session)).toContain('still has living processes');
    const look = ['session', 'status', session.id];
    const shown = await cli({ folder: project.path, stdin: '' }, ...look);
    expect(shown.out).toContain(`Left behind: process ${child.pid} → tutti session kill ${session.id}\n`);
    const json = await cli({ folder: project.path, stdin: '' }, ...look, '--json');
    expect(sessionStatusForm.parse(JSON.parse(json.out)).left_processes).toEqual([child.pid]);
  } finally {
    child.kill('SIGKILL');
    await gone;
  }
  expect(await refusedWith(tutti, session)).toBe('archived');
});

test('a session that another one waits for or goes on from stays', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const first = await finished(project, tutti);
  const next = await startOnly(project, tutti, { after: [first.id] });
  expect(await refusedWith(tutti, first)).toContain(`is still needed: session ${next} waits for it`);
  changeRows(tutti, `update sessions set status = 'KILLED' where id = ?`, next);
  const second = await finished(project, tutti);
  changeRows(
    tutti,
    `update sessions set status = 'CREATED', continues = ? where id = ?`,
    first.id,
    second.id,
  );
  expect(await refusedWith(tutti, first)).toContain(`session ${second.id} continues its conversation`);
  changeRows(tutti, `update sessions set status = 'KILLED' where id = ?`, second.id);
  expect(await refusedWith(tutti, first)).toBe('archived');
});

test('nothing in the archive is overwritten, and nothing is moved through a link', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const session = await finished(project, tutti);
  const target = tutti.paths.archived(session.id);
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'older'), 'x');
  expect(await refusedWith(tutti, session)).toContain('which is there already');
  expect(readFileSync(join(target, 'older'), 'utf8')).toBe('x');
  rmSync(target, { recursive: true });

  const source = tutti.paths.session(session.id);
  renameSync(source, `${source}-real`);
  symlinkSync(`${source}-real`, source);
  expect(await refusedWith(tutti, session)).toContain('something else under its name');
  rmSync(source);
  expect(await archiveSessions(tutti, { id: session.id })).toMatchObject({
    error: { message: expect.stringContaining('has lost its folder') },
  });
  renameSync(`${source}-real`, source);

  const archive = join(tutti.paths.state, 'archive');
  rmSync(archive, { recursive: true });
  mkdirSync(join(project.path, 'elsewhere'));
  symlinkSync(join(project.path, 'elsewhere'), archive);
  expect(await refusedWith(tutti, session)).toContain('is no folder, or a link to one');
  rmSync(archive);
  expect(await refusedWith(tutti, session)).toBe('archived');
});

test('many at once: the others go on, and each that stays says why', async () => {
  await using project = new SessionProject({ max_sessions: 20 });
  const tutti = project.open();
  const old = await finished(project, tutti, { endedMs: 2 * day });
  const failed = await finished(project, tutti, { endedMs: 2 * day, status: 'FAILED' });
  const tagged = await finished(project, tutti, { endedMs: 2 * day, request: { tags: ['keep', 'me'] } });
  const young = await finished(project, tutti);
  const live = await startOnly(project, tutti);
  expect(await bulk(tutti, { tags: ['keep'] }, day)).toEqual({ archived: [tagged.id], refused: [] });
  expect(await bulk(tutti, { status: 'COMPLETED' }, day)).toEqual({ archived: [old.id], refused: [] });
  const rest = await bulk(tutti);
  expect(rest.archived.toSorted()).toEqual([failed.id, young.id].toSorted());
  expect(rest.refused).toEqual([{ id: live, why: 'has not ended (status: CREATED)', ended: false }]);
});

test('across devices it is copied, compared and only then removed', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const session = await finished(project, tutti);
  const source = tutti.paths.session(session.id);
  symlinkSync('/etc/passwd', join(source, 'link'));
  const before = contentsOf(source);
  const done = await archiveSessions(tutti, { id: session.id }, crossDevice);
  expect(done).toMatchObject({ ok: true });
  expect(existsSync(source)).toBe(false);
  expect(contentsOf(tutti.paths.archived(session.id))).toEqual(before);
  expect((await sessionOf(tutti, session.id)).archivedAt).not.toBeNull();
});

test('on two real file systems, where there are two', () => {
  using folder = tempFolder();
  const shared = '/dev/shm';
  const isOther = existsSync(shared) && statSync(shared).dev !== statSync(folder.path).dev;
  const there = mkdtempSync(join(isOther ? shared : folder.path, 'tutti-'));
  try {
    const source = join(folder.path, 'session');
    mkdirSync(join(source, 'spool'), { recursive: true });
    writeFileSync(join(source, 'spool', 'log'), 'y'.repeat(700_000));
    const before = contentsOf(source);
    expect(moveFolder(source, join(there, 'session'))).toBe(isOther ? 'source-left' : 'moved');
    expect(contentsOf(join(there, 'session'))).toEqual(before);
    expect(existsSync(source)).toBe(isOther);
  } finally {
    rmSync(there, { recursive: true });
  }
});

test('what is not in the copy is not removed', () => {
  using folder = tempFolder();
  const [source, target] = [join(folder.path, 'a'), join(folder.path, 'b')];
  for (const path of [source, target]) {
    mkdirSync(path);
    writeFileSync(join(path, 'same'), 'x');
  }
  writeFileSync(join(source, 'more'), 'paid for');
  expect(removeCopied(source, target)).toBe(false);
  writeFileSync(join(target, 'more'), 'paid f0r');
  expect(removeCopied(source, target)).toBe(false);
  expect(existsSync(join(source, 'more'))).toBe(true);
  writeFileSync(join(target, 'more'), 'paid for');
  expect(removeCopied(source, target)).toBe(true);
});

test('a crash in the middle is finished by the next command, at whatever point it came', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const moved = await finished(project, tutti);
  const copied = await finished(project, tutti);
  const marked = await finished(project, tutti);
  const target = (session: Session) => tutti.paths.archived(session.id);
  const source = (session: Session) => tutti.paths.session(session.id);
  // Moved, not marked; copied, not marked; copied, marked and half removed.
  mkdirSync(join(tutti.paths.state, 'archive', 'sessions'), { recursive: true });
  renameSync(source(moved), target(moved));
  moveFolder(source(copied), target(copied), crossDevice);
  moveFolder(source(marked), target(marked), crossDevice);
  await tutti.store.markArchived(marked.id);
  rmSync(join(source(marked), 'prompt.md'));
  // And one that died while it copied.
  mkdirSync(join(tutti.paths.state, 'archive', 'sessions', `.${copied.id}.tmp`));
  expect((await bulk(tutti)).refused).toEqual([]);
  for (const session of [moved, copied, marked]) {
    expect(existsSync(source(session)), session.id).toBe(false);
    expect(existsSync(join(target(session), 'prompt.md')), session.id).toBe(true);
    expect((await sessionOf(tutti, session.id)).archivedAt, session.id).not.toBeNull();
  }
  expect(readdirSync(join(tutti.paths.state, 'archive', 'sessions'))).toHaveLength(3);
});

test('a session that never ran and has no folder has nothing to lose', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const session = await finished(project, tutti, { status: 'FAILED' });
  rmSync(tutti.paths.session(session.id), { recursive: true });
  changeRows(tutti, 'update sessions set begun_at = null where id = ?', session.id);
  expect(await bulk(tutti)).toEqual({ archived: [session.id], refused: [] });
});
