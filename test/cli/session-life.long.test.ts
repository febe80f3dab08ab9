import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  sessionCreateForm,
  sessionKillForm,
  sessionLogForm,
  sessionRowForm,
  sessionSendForm,
  sessionStatusForm,
  sessionWaitForm,
} from '../../src/model/schemas/session-output.ts';
import { SessionProject } from '../sessions/project.ts';
import { until } from '../rig/attempt-rig.ts';
import { writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { cli, type CliEnd, type CliOptions } from './rig.ts';

/** A project, and the commands as somebody would type them in it. */
function typing(project: SessionProject) {
  const at = (options: Partial<CliOptions>) => (words: string, prompt?: string) => {
    if (prompt !== undefined) writeFileSync(join(project.path, 'task.md'), prompt);
    return cli({ folder: project.path, ...options }, ...words.split(' '));
  };
  return {
    piped: at({ stdin: '' }),
    atTerminal: at({ terminal: [100, 30] }),
    answering: (typed: string) => at({ terminal: [100, 30], typed }),
  };
}

function idOf({ out }: CliEnd): string {
  return /Session created: (\S+)/.exec(out)?.[1] ?? '';
}

function objects({ out, err }: CliEnd): unknown[] {
  expect(err).toBe('');
  return out
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

function only(end: CliEnd): unknown {
  const [one, ...more] = objects(end);
  expect(more).toEqual([]);
  return one;
}

test('a session from its creation to its end, as the document shows it', async () => {
  await using project = new SessionProject();
  const { piped, atTerminal } = typing(project);
  const created = await atTerminal(
    'session create worker task.md --tag nightly --max-duration 10m',
    'wait go',
  );
  const id = idOf(created);
  expect(created).toEqual({
    out: `✔ Session created: ${id}\n  Workspace: .tutti/sessions/${id}/\n  Display: headless\n  Attach: tutti session attach ${id}\n`,
    err: '',
    code: 0,
  });
  expect(id).toMatch(/^\d{8}-\d{6}-worker$/);

  const running = await atTerminal('session list');
  expect(running.out).toMatch(
    new RegExp(
      String.raw`^SESSION ID +AGENT +STATUS +STARTED +ELAPSED +OUTCOME +RUN +TASK\n${id}  worker  RUNNING  \d{4}-\d\d-\d\d \d\d:\d\d  \d+\.\ds +- +- +-\n\nTotal: 1 session \(1 running\)\n$`,
    ),
  );
  const status = await piped(`session status ${id}`);
  expect(status).toMatchObject({ err: '', code: 0 });
  expect(status.out).toMatch(
    new RegExp(
      String.raw`^Session: ${id}\nAgent: worker\nStatus: RUNNING\nActivity: working\nCreated: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\nStarted: .*\nElapsed: .*s\nWorkspace: \.tutti/sessions/${id}/\nDisplay: headless\nDriver: mine\n(Limits: .*\n)?Tags: nightly\nRequester: user:\S+\n$`,
    ),
  );
  expect(sessionStatusForm.parse(only(await piped(`session status ${id} --json`)))).toMatchObject({
    session_id: id,
    status: 'RUNNING',
    activity: 'working',
    completed_at: null,
    tmux_session: null,
    tmux_active: false,
    metadata: { max_duration_seconds: 600 },
  });

  project.go('go');
  const waited = await piped(`session wait ${id}`);
  expect(waited).toEqual({
    out: expect.stringMatching(new RegExp(`^${id}  COMPLETED  SUCCESS after .*s: done\n$`)),
    err: '',
    code: 0,
  });
  expect((await piped(`session status ${id}`)).out).toMatch(/Outcome: SUCCESS \(0\)\nExit code: 0\n/);
  expect(await piped(`session kill ${id} --force`)).toEqual({
    out: 'Session already terminated (status: COMPLETED)\n',
    err: '',
    code: 0,
  });
});

test('in a pipe the table is ids and nothing else, and the totals are told apart', async () => {
  await using project = new SessionProject();
  const { piped } = typing(project);
  expect(await piped('session list')).toEqual({
    out: 'No sessions found\n',
    err: '  → create one: tutti session create AGENT PROMPT-FILE\n',
    code: 0,
  });
  const ids = [];
  for (const prompt of ['fine', 'fail', 'fine'])
    ids.push(idOf(await piped('session create worker task.md', prompt)));
  expect((await piped(`session wait ${ids.join(' ')}`)).code).toBe(1);

  const listed = await piped('session list');
  const [head, ...rows] = listed.out.trimEnd().split('\n');
  expect(head).toMatch(/^SESSION ID +AGENT +STATUS +STARTED +ELAPSED +OUTCOME +RUN +TASK$/);
  expect(rows.map((row) => row.split(/\s/)[0])).toEqual(ids.toReversed());
  expect(listed.err).toBe('Total: 3 sessions (2 completed, 1 failed)\n');

  const page = await piped('session list --limit 2');
  expect(page.out.trimEnd().split('\n')).toHaveLength(3);
  expect(page.err).toBe(
    `Total: 3 sessions (2 completed, 1 failed)\n  → older ones: --before ${ids[1]}, or all of them: --all\n`,
  );
  expect((await piped(`session list --before ${ids[1]}`)).out).toContain(ids[0]);
  const failed = await piped('session list --status failed');
  expect(failed.out.trimEnd().split('\n').slice(1)).toEqual([expect.stringMatching(`^${ids[1]} `)]);
  expect(failed.err).toBe('Total: 1 session (1 failed)\n');
  expect((await piped('session list --status killed')).out).toBe('No sessions found\n');
  const lines = objects(await piped('session list --json'));
  expect(lines.map((line) => sessionRowForm.parse(line).session_id)).toEqual(ids.toReversed());
});

test('tags and a parent choose among sessions', async () => {
  await using project = new SessionProject();
  const { piped } = typing(project);
  const one = idOf(await piped('session create worker task.md --tag a --tag b', 'fine'));
  const two = idOf(await piped(`session create worker task.md --tag a --parent ${one}`, 'fine'));
  await piped(`session wait ${one} ${two}`);
  const idsOf = async (filter: string) =>
    objects(await piped(`session list --json ${filter}`)).map((row) => sessionRowForm.parse(row).session_id);
  expect(await idsOf('--tag a')).toEqual([two, one]);
  expect(await idsOf('--tag a --tag b')).toEqual([one]);
  expect(await idsOf(`--parent ${one}`)).toEqual([two]);
  expect((await piped(`session status ${two}`)).out).toContain(`Parent: ${one}\n`);
});

test('a person is asked before a session is ended, and only yes is yes', async () => {
  await using project = new SessionProject();
  const { piped, answering } = typing(project);
  const id = idOf(await piped('session create worker task.md', 'wait go'));
  for (const typed of ['n', '', 'yup']) {
    expect(await answering(typed)(`session kill ${id}`)).toEqual({
      out: 'Nothing was killed\n',
      err: `Kill session ${id}? [y/N]: ${typed === 'yup' ? "'yup' counts as no; to agree, answer y or yes\n" : ''}`,
      code: 1,
    });
  }
  const refused = await piped(`session kill ${id}`);
  expect(refused).toEqual({
    out: '',
    err: `tutti: Kill session ${id}? There is no terminal to ask on\n  → if you mean it, add --force\n`,
    code: 64,
  });
  expect((await piped(`session status ${id}`)).out).toContain('Status: RUNNING\n');
  expect(await answering('y')(`session kill ${id} --reason typo`)).toEqual({
    out: `Session killed: ${id}\n`,
    err: `Kill session ${id}? [y/N]: `,
    code: 0,
  });
  const after = await piped(`session status ${id}`);
  expect(after.out).toContain('Status: KILLED\n');
  expect(after.out).toMatch(/Outcome: INTERRUPTED \(20\)\nWhy: killed by user:\S+: typo\n/);
  expect(project.file(id, 'session.log')).toContain('typo');
});

test('many are ended by what they have in common, and never without --all', async () => {
  await using project = new SessionProject();
  const { piped } = typing(project);
  const ids = [];
  for (const tags of ['--tag a', '--tag a --tag b', '--tag b'])
    ids.push(idOf(await piped(`session create worker task.md ${tags}`, 'wait go')));
  expect(await piped('session kill --tag a --force')).toMatchObject({
    code: 64,
    err: expect.stringContaining('add --all'),
  });
  const killed = await piped('session kill --all --tag a --status running --force --json');
  expect(objects(killed).map((line) => sessionKillForm.parse(line))).toEqual(
    [ids[1], ids[0]].map((id) =>
      expect.objectContaining({ session_id: id, how: 'killed', status: 'KILLED', outcome: 'INTERRUPTED' }),
    ),
  );
  expect((await piped('session list --status running')).out).toContain(ids[2]);
  expect((await piped('session kill --all --force')).out).toBe(`Session killed: ${ids[2]}\n`);
  expect(await piped('session kill --all --force')).toEqual({
    out: 'No session to kill\n',
    err: '',
    code: 0,
  });
});

test('waiting ends with the gravest outcome, --ok with yes or no, and a time that is over with 21', async () => {
  await using project = new SessionProject();
  const { piped, atTerminal } = typing(project);
  const good = idOf(await piped('session create worker task.md', 'fine'));
  const bad = idOf(await piped('session create worker task.md', 'fail'));
  const slow = idOf(await piped('session create worker task.md', 'wait go'));
  const both = await piped(`session wait ${good} ${bad} --json`);
  expect(both.code).toBe(1);
  expect(objects(both).map((line) => sessionWaitForm.parse(line))).toMatchObject([
    { waited_for: good, session_id: good, outcome: 'SUCCESS', outcome_code: 0 },
    { waited_for: bad, status: 'FAILED', outcome: 'FAILURE', exit_code: 3 },
  ]);
  expect((await piped(`session status ${bad}`)).out).toMatch(
    /Outcome: FAILURE \(1\)\nWhy: \S.*\nExit code: 3\n/,
  );
  expect((await atTerminal(`session wait ${bad}`)).out).toMatch(
    new RegExp(`^✕ ${bad}  FAILED .*exit code 3: .*\n  → read what it said: tutti session logs ${bad}\n$`),
  );
  expect((await piped(`session wait ${good} --ok`)).code).toBe(0);
  const late = await piped(`session wait ${slow} --timeout 200ms`);
  expect(late).toEqual({
    out: '',
    err: `tutti: session ${slow} has not ended within 0.2s\n  → look at it: tutti session status ${slow}\n`,
    code: 21,
  });
  expect((await piped(`session wait ${slow} --timeout 200ms --ok`)).code).toBe(1);
});

test('a message is taken, or one sentence says why not', async () => {
  await using project = new SessionProject();
  const { piped } = typing(project);
  const chat = idOf(await piped('session create worker task.md --driver chat', 'hello'));
  expect(
    objects(await piped(`session send ${chat} wait! --json`)).map((line) => sessionSendForm.parse(line)),
  ).toEqual([{ session_id: chat, delivered: true }]);
  const fromFile = await cli({ folder: project.path, stdin: 'end\n' }, 'session', 'send', chat, '-');
  expect(fromFile).toEqual({ out: `Message delivered: ${chat}\n`, err: '', code: 0 });
  expect((await piped(`session wait ${chat}`)).code).toBe(0);
  expect(project.file(chat, 'output.log')).toContain('heard: wait!');
  expect((await piped(`session send ${chat} more`)).err).toMatch(
    /^tutti: Session not active \(status: COMPLETED\)\n/,
  );
  const deaf = idOf(await piped('session create worker task.md', 'wait go'));
  expect(await piped(`session send ${deaf} hello`)).toMatchObject({
    code: 69,
    err: expect.stringMatching(
      /^tutti: driver mine accepts no messages while it works\n {2}→ .*session wait/,
    ),
  });
  expect((await cli({ folder: project.path, stdin: ' \n' }, 'session', 'send', deaf, '-')).err).toContain(
    'empty',
  );
});

test('what a session says and what happens to it is told to programs line by line', async () => {
  await using project = new SessionProject();
  const { piped } = typing(project);
  const id = idOf(await piped('session create worker task.md --driver chat', 'hello'));
  await piped(`session send ${id} well`);
  const endings: Promise<CliEnd>[] = [];
  const onOutput = (all: string): void => {
    if (all.includes('heard: well') && endings.length === 0) endings.push(piped(`session send ${id} end`));
  };
  const attached = await cli(
    { folder: project.path, stdin: '', onOutput },
    'session',
    'attach',
    id,
    '--json',
  );
  const lines = objects(attached).map((line) => sessionLogForm.parse(line));
  expect(lines.at(-1)).toMatchObject({ type: 'session', session_id: id, outcome: 'SUCCESS' });
  expect(await Promise.all(endings)).toMatchObject([{ code: 0 }]);

  const said = objects(await piped(`session logs ${id} --json`)).map((line) => sessionLogForm.parse(line));
  expect(said).toEqual(lines.slice(0, -1));
  expect(said).toContainEqual(expect.objectContaining({ type: 'text', text: 'heard: well' }));
  const happened = objects(await piped(`session logs ${id} --session-log --json`));
  expect(happened.map((line) => sessionLogForm.parse(line))).toContainEqual(
    expect.objectContaining({ type: 'log', level: 'INFO', message: 'Status: CREATED → RUNNING' }),
  );
});

test('what was asked for at creation is told by the session', async () => {
  await using project = new SessionProject();
  const { piped, atTerminal } = typing(project);
  mkdirSync(join(project.path, 'part'));
  copyFileSync(join(project.path, 'agent.sh'), join(project.path, 'part', 'agent.sh'));
  writeFileSync(join(project.path, 'form.json'), '{"type":"object","required":["summary"]}');
  const first = idOf(await piped('session create worker task.md', 'wait go'));
  const created = objects(
    await piped(
      `session create worker task.md --after ${first} --cwd part --add-dir part --retry 2 --result-schema form.json --result required --template research --json`,
      'fine',
    ),
  ).map((line) => sessionCreateForm.parse(line));
  expect(created).toMatchObject([{ status: 'CREATED', host: 'headless', after: [first], warnings: [] }]);
  const second = created[0]?.session_id ?? '';
  const status = sessionStatusForm.parse(only(await piped(`session status ${second} --json`)));
  expect(status).toMatchObject({
    status: 'CREATED',
    activity: 'starting',
    after: [first],
    cwd: join(project.path, 'part'),
    add_dirs: [join(project.path, 'part')],
  });
  expect((await piped(`session status ${second}`)).out).toContain(`Waits for: ${first}\n`);
  expect((await atTerminal('session list')).out).toMatch(/CREATED +- /);
  project.go('go');
  expect((await piped(`session wait ${second}`)).code).toBe(0);
  expect(project.file(second, 'prompt.md')).toMatch(/^# Task: research[\s\S]*fine/);
});

/** A tmux that knows its version and can do nothing else. */
function standInForTmux(folder: string): Readonly<Record<string, string>> {
  writeProject(folder, { 'bin/tmux': '#!/bin/sh\n[ "$1" = -V ] && echo "tmux 3.3a" && exit 0\nexit 1\n' });
  chmodSync(join(folder, 'bin', 'tmux'), 0o755);
  return { PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` };
}

test('a session that could not be started is no success, and can be looked at', async () => {
  const typed = { type: 'command', command: ['true'], interactive: ['true'] };
  await using project = new SessionProject({ driver: 'typed', drivers: { typed } });
  writeProject(project.path, { 'task.md': 'hello' });
  const env = standInForTmux(project.path);
  const piped = (words: string) => cli({ folder: project.path, stdin: '', env }, ...words.split(' '));
  const refused = await piped('session create worker task.md --interactive');
  expect(refused.code).toBe(69);
  const id = /^tutti: Session (\S+) could not be started: \S/.exec(refused.err)?.[1] ?? '';
  expect(refused.err).toContain(`  → look at it: tutti session status ${id}\n`);
  expect((await piped(`session status ${id}`)).out).toMatch(
    /Status: FAILED\n[\s\S]*Outcome: UNAVAILABLE \(69\)\nWhy: /,
  );
});

test('a driver without an interface of its own is refused before anything is made', async () => {
  await using project = new SessionProject();
  const env = standInForTmux(project.path);
  const piped = (words: string, prompt: string) => {
    writeProject(project.path, { 'task.md': prompt });
    return cli({ folder: project.path, stdin: '', env }, ...words.split(' '));
  };
  const refused = await piped('session create worker task.md --interactive', 'hello');
  expect(refused.code).toBe(69);
  expect(refused.err).toMatch(/^tutti: driver mine has no interactive interface: .*\n {2}→ .*\n$/);
  const typed = { type: 'command', command: ['true'], interactive: ['true'] };
  writeProject(project.path, { 'tutti.yaml': { driver: 'typed', drivers: { typed } } });
  const escape = await piped('session create worker task.md --interactive', 'escape \u001B[A');
  expect(escape.err).toMatch(/^tutti: the prompt cannot be typed into an interface: .*\n {2}→ .*\n$/);
  expect(existsSync(join(project.path, '.tutti', 'sessions'))).toBe(false);
});

test('the demo project is enough to try a session without a key', async () => {
  using folder = tempFolder();
  const here = { folder: folder.path, stdin: '' };
  await cli(here, 'init', '--demo', '.');
  writeFileSync(join(folder.path, 'task.md'), 'Greet the crew.');
  const id = idOf(await cli(here, 'session', 'create', 'greeter', 'task.md'));
  expect((await cli(here, 'session', 'wait', id)).out).toContain('SUCCESS');
  expect((await cli(here, 'session', 'logs', id)).out).toContain('only say hello');
  const log = join(folder.path, '.tutti', 'logs', 'conductor.log');
  await until('the conductor goes', () => readFileSync(log, 'utf8').includes('nothing left'));
});

test('sessions are no runs of their own to who looks at runs', async () => {
  await using project = new SessionProject();
  const { piped } = typing(project);
  const id = idOf(await piped('session create worker task.md', 'fine'));
  await piped(`session wait ${id}`);
  expect((await piped('runs')).out).toContain('no runs yet');
  expect((await piped('runs --sessions')).out).toContain(id);
  expect(await piped('status')).toMatchObject({ code: 0, out: expect.stringContaining('no runs yet') });
  const json = async (line: string): Promise<unknown> => JSON.parse((await piped(`${line} --json`)).out);
  expect(await json('status')).toEqual({ run_id: null });
  expect(await json('report')).toEqual({ path: null, status: null, incidents: [] });
  writeFileSync(join(project.path, 'flow.yaml'), 'steps:\n  - {id: a, command: [echo]}\n');
  await piped('run flow.yaml --run-id nightly');
  const later = idOf(await piped('session create worker task.md', 'fine'));
  await piped(`session wait ${later}`);
  expect((await piped('status')).out).toContain('nightly');
  expect((await piped('runs --limit 1')).out).toContain('nightly');
});

test('the shell is offered sessions, those that live where only they will do, and agents', async () => {
  await using project = new SessionProject();
  const { piped } = typing(project);
  const over = idOf(await piped('session create worker task.md', 'fine'));
  await piped(`session wait ${over}`);
  const live = idOf(await piped('session create worker task.md', 'wait go'));
  const offered = async (...words: readonly string[]) =>
    (await cli({ folder: project.path }, '__complete', 'session', ...words)).out
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]);
  expect(await offered('status', '2')).toEqual([live, over]);
  expect(await offered('kill', '2')).toEqual([live]);
  expect(await offered('create', 'wor')).toEqual(['worker']);
  expect(await offered('list', '--status', 'R')).toEqual(['RUNNING']);
  expect(await offered('l')).toEqual(expect.arrayContaining(['list']));
});
