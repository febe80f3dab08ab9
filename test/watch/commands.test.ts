import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { changeRows } from '../rig/change-rows.ts';
import { killSession } from '../../src/app/session-control/kill.ts';
import { findSession } from '../../src/app/sessions/sessions-now.ts';
import { cli } from '../cli/rig.ts';
import { until } from '../rig/attempt-rig.ts';
import { SessionProject } from '../sessions/project.ts';

/** An ended session with a log of the test's own. */
async function ended(project: SessionProject, log: string): Promise<{ id: string; file: string }> {
  const tutti = project.open();
  const { id } = await project.create(tutti, 'ok');
  await project.untilStatus(tutti, id, 'COMPLETED');
  const file = join(project.path, '.tutti', 'sessions', id, 'output.log');
  writeFileSync(file, log);
  return { id, file };
}

test('logs: all lines, the last ones, events for programs, the bytes, and what happened to the session', async () => {
  await using project = new SessionProject();
  const { id, file } = await ended(project, 'one\nt\u001B[31mwo\nthree');
  const logs = (...flags: readonly string[]) =>
    cli({ folder: project.path }, 'session', 'logs', id, ...flags);
  expect(await logs()).toEqual({ out: 'one\ntwo\nthree\n', err: '', code: 0 });
  expect(await logs('--follow')).toEqual({ out: 'one\ntwo\nthree\n', err: '', code: 0 });
  expect(await logs('--lines', '2')).toMatchObject({ out: 'two\nthree\n' });
  expect(await logs('--raw')).toMatchObject({ out: readFileSync(file, 'latin1') });
  const events = (await logs('--json')).out.trimEnd().split('\n');
  expect(events.map((line) => JSON.parse(line) as unknown)).toEqual([
    { type: 'text', text: 'one', offset: 0 },
    { type: 'text', text: 't\u001B[31mwo', offset: 4 },
    { type: 'text', text: 'three', offset: 13 },
  ]);
  const { out } = await logs('--session-log');
  expect(out).toContain(`] [INFO] Session created: ${id}\n`);
  const [first] = (await logs('--session-log', '--json')).out.split('\n');
  expect(JSON.parse(first ?? '')).toEqual({
    type: 'log',
    at: expect.stringMatching(/^\d{4}-/),
    level: 'INFO',
    message: `Session created: ${id}`,
    offset: 0,
  });
});

test('logs of a session that was archived are found, those of one that was pruned are told to be gone', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const { id, file } = await ended(project, 'kept\n');
  const archived = tutti.paths.archived(id);
  mkdirSync(dirname(archived), { recursive: true });
  renameSync(dirname(file), archived);
  changeRows(tutti, 'update sessions set archived_at = 1 where id = ?', id);
  expect(await cli({ folder: project.path }, 'session', 'logs', id)).toMatchObject({
    out: 'kept\n',
    code: 0,
  });
  changeRows(tutti, 'update sessions set pruned_at = 2 where id = ?', id);
  expect(await cli({ folder: project.path }, 'session', 'logs', id)).toEqual({
    out: '',
    err: `tutti: the files of session ${id} were removed from the archive\n  → see what is known of it: tutti session status ${id}\n`,
    code: 64,
  });
});

test('what cannot be shown is refused in one sentence with the next command', async () => {
  await using project = new SessionProject();
  const { id } = await ended(project, '');
  const refused = async (...args: readonly string[]) => {
    const { err, out, code } = await cli({ folder: project.path }, 'session', ...args);
    expect([out, code]).toEqual(['', 64]);
    return err;
  };
  expect(await refused('attach', id)).toBe(
    `tutti: Session not active (status: COMPLETED)\n  → read what it said: tutti session logs ${id}\n`,
  );
  const unknown = 'tutti: Session not found: nobody\n  → List all sessions: tutti session list\n';
  expect(await refused('attach', 'nobody')).toBe(unknown);
  expect(await refused('logs', 'nobody')).toBe(unknown);
  expect(await refused('logs', '../../etc')).toContain('Session not found: ../../etc');
  expect(await refused('logs', id, '--raw', '--lines', '3')).toContain('cannot be had with --lines');
  expect(await refused('logs', id, '--lines', '0')).toContain('--lines must be a whole number');
});

test('whoever reads along without a terminal hears everything, and the outcome', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const { id } = await project.create(tutti, 'talk', { driver: 'chat' });
  const killing: Promise<unknown>[] = [];
  const onOutput = (): void => {
    if (killing.length === 0) killing.push(killSession(tutti, { id, reason: 'enough', by: 'test' }));
  };
  const { out, code } = await cli({ folder: project.path, onOutput }, 'session', 'attach', id);
  await Promise.all(killing);
  expect(out).toMatch(/^heard: /);
  expect(out).toMatch(
    new RegExp(`heard: talk\n✕ session ${id} KILLED after .*: INTERRUPTED.*\n  → look at it: `),
  );
  expect(code).toBe(20);
});

test('logs --follow ends when its reader goes away, though the session goes on', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const { id } = await project.create(tutti, 'talk', { driver: 'chat' });
  let closed = false;
  const { out, code } = await cli(
    {
      folder: project.path,
      isClosed: () => closed,
      onOutput: () => {
        closed = true;
      },
    },
    'session',
    'logs',
    id,
    '-f',
  );
  expect(out).toContain('heard: ');
  expect(code).toBe(0);
  expect((await tutti.queries.sessions.one(id))?.status).toBe('RUNNING');
});

test('a person types, is answered, leaves, and comes back for the end', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const { id } = await project.create(tutti, 'talk', { driver: 'chat' });
  const watch = async (answers: readonly (readonly [sight: string, keys: readonly string[]])[]) => {
    const left = [...answers];
    const end = await cli(
      {
        folder: project.path,
        terminal: [80, 20],
        onOutput: (all, control) => {
          const [next] = left;
          if (next === undefined || !stripVTControlCharacters(all).includes(next[0])) return;
          left.shift();
          // Not within the write that it answers: a person takes a moment.
          setImmediate(() => {
            for (const key of next[1]) {
              const isControl = key.startsWith('Ctrl-');
              const name = isControl ? key.slice(-1).toLowerCase() : key;
              control.press({ name: key.length > 1 ? name : undefined, sequence: key, ctrl: isControl });
            }
          });
        },
      },
      'session',
      'attach',
      id,
    );
    return { ...end, out: stripVTControlCharacters(end.out) };
  };
  const first = await watch([
    ['RUNNING', ['h', 'i', 'return']],
    ['heard: hi', []],
    ['taken: hi', ['Ctrl-C']],
  ]);
  expect(first.code).toBe(0);
  expect(first.out).toMatch(
    new RegExp(`detached: session ${id} continues\n  → attach again: tutti session attach ${id}\n$`),
  );
  expect((await tutti.queries.sessions.one(id))?.status).toBe('RUNNING');
  const second = await watch([['heard: hi', ['e', 'n', 'd', 'return']]]);
  expect(second.out).toMatch(new RegExp(`✔ session ${id} COMPLETED in .*\n`));
  expect(second.code).toBe(0);
});

test('what cannot be sent says why, also where a session has no input line', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const first = await project.create(tutti, 'wait go');
  const waiting = await project.create(tutti, 'talk', { driver: 'chat', after: [first.id] });
  const watch = async (id: string, react: (shown: string, press: (key: string) => void) => void) => {
    const end = await cli(
      {
        folder: project.path,
        terminal: [80, 20],
        onOutput: (all, control) => {
          setImmediate(() => {
            react(stripVTControlCharacters(all), (key) => {
              control.press(key === 'Ctrl-C' ? { name: 'c', ctrl: true } : { name: key, sequence: key });
            });
          });
        },
      },
      'session',
      'attach',
      id,
    );
    return stripVTControlCharacters(end.out);
  };
  let typed = false;
  const created = await watch(waiting.id, (shown, press) => {
    if (!typed && shown.includes('CREATED')) {
      typed = true;
      ['x', 'return'].forEach(press);
    }
    if (shown.includes('has not started yet')) press('Ctrl-C');
  });
  expect(created).toContain('› x');
  expect(created).toContain(`✕ session ${waiting.id} has not started yet`);
  let pressed = false;
  const deaf = await watch(first.id, (shown, press) => {
    if (shown.includes('accepts no messages')) press('Ctrl-C');
    if (pressed) return;
    pressed = true;
    ['z', 'return'].forEach(press);
  });
  expect(deaf).toContain(
    '✕ driver mine accepts no messages while it works → wait for it to end: tutti session wait',
  );
  await killSession(tutti, { id: waiting.id, reason: 'over', by: 'test' });
});

test('a session that ended while nobody was awake is seen to have ended', async () => {
  await using project = new SessionProject();
  const tutti = project.open();
  const { id } = await project.create(tutti, 'wait go');
  await until('the conductor advances it', async () => (await tutti.queries.holder(id)) !== null);
  const conductor = (await tutti.queries.conductor())?.pid;
  expect(conductor).toBeGreaterThan(1);
  if (conductor !== undefined) process.kill(conductor, 'SIGKILL');
  const following = cli({ folder: project.path }, 'session', 'logs', id, '--follow');
  project.go('go');
  expect(await following).toMatchObject({ code: 0 });
  expect((await findSession(tutti, id))?.status).toBe('COMPLETED');
});
