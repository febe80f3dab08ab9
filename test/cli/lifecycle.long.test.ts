import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../rig/temp-folder.ts';
import { asking, contentsOf, failing, quick, write } from './project.ts';
import { cli, type CliEnd } from './rig.ts';

type Parsed = Readonly<Record<string, unknown>>;

function jsonLines(text: string): Parsed[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Parsed);
}

test('the demo project runs at once without a key, and init never overwrites', async () => {
  using folder = tempFolder();
  const made = await cli({ folder: folder.path }, 'init', '--demo', 'try it');
  expect(made).toMatchObject({ err: '', code: 0 });
  expect(made.out).toContain("→ run a flow: cd 'try it' && tutti run flows/example.yaml");
  const options = { folder: join(folder.path, 'try it') };
  expect(await cli(options, 'doctor')).toMatchObject({ code: 0 });

  writeFileSync(join(options.folder, 'tutti.yaml'), 'max_sessions: 3\n');
  const again = await cli(options, 'init', '--demo', '.', '--json');
  expect(JSON.parse(again.out)).toMatchObject({ made: [], kept: expect.arrayContaining(['tutti.yaml']) });
  expect(readFileSync(join(options.folder, 'tutti.yaml'), 'utf8')).toBe('max_sessions: 3\n');

  const run = await cli(options, 'run', 'flows/example.yaml');
  expect(run).toMatchObject({ err: '', code: 0 });
  expect(run.out).toMatch(/✔ greet done[\s\S]*✔ check done[\s\S]*✔ run example-\S+ succeeded/);
  expect(existsSync(join(options.folder, 'hello.txt'))).toBe(true);
});

test('a run is listed, shown, told and reported, for people and for programs', async () => {
  using folder = tempFolder();
  const options = { folder: folder.path };
  write(folder.path, { 'flow.yaml': quick });
  const run = await cli(options, 'run', 'flow.yaml', '--run-id', 'r1', '--json');
  expect(run).toMatchObject({ err: '', code: 0 });
  const feed = jsonLines(run.out);
  expect(feed.at(0)).toMatchObject({ type: 'run.started', run_id: 'r1', seq: 1 });
  expect(feed.at(-2)).toMatchObject({ type: 'run.ended', outcome: 'SUCCESS' });
  expect(feed.at(-1)).toMatchObject({ run_id: 'r1', state: 'ended', exit_code: 0 });

  expect((await cli(options, 'runs')).out).toMatch(/✔ r1 +SUCCESS/);
  expect(JSON.parse((await cli(options, 'runs', '--json')).out)).toMatchObject({
    run_id: 'r1',
    outcome: 'SUCCESS',
  });
  expect((await cli(options, 'status')).out).toMatch(/^run r1 · SUCCESS .*\n✔ one .*\n✔ two /);
  const status = JSON.parse((await cli(options, 'status', 'r1', '--json')).out) as Parsed;
  expect(Object.keys(status)).toEqual(
    expect.arrayContaining([
      'run_id',
      'workflow',
      'state',
      'outcome',
      'exit_code',
      'started_at',
      'ended_at',
      'steps',
      'budget',
    ]),
  );
  expect(status['steps']).toMatchObject([
    { id: 'one', state: 'done', attempts: 1, session_id: null, outcome: 'SUCCESS' },
    { id: 'two', state: 'done' },
  ]);
  const events = jsonLines((await cli(options, 'events', '--json', '--follow')).out);
  expect(events).toEqual(feed.slice(0, -1));
  expect((await cli(options, 'events', 'r1')).out).toMatch(
    /● one started\n.*✔ one done\n[\s\S]*run ended with SUCCESS\n$/,
  );
  expect((await cli(options, 'report')).out).toMatch(/^# Execution report: r1\n/);
  const report = JSON.parse((await cli(options, 'report', '--json')).out) as { path: string };
  expect(readFileSync(report.path, 'utf8')).toContain('# Execution report: r1');
  expect((await cli(options, 'inbox')).out).toBe('no open questions\n');
});

test('without a terminal a run that waits for people ends with 3 and says how to answer; a later resume goes on', async () => {
  using folder = tempFolder();
  const options = { folder: folder.path };
  write(folder.path, { 'flow.yaml': asking });
  const run = await cli(options, 'run', 'flow.yaml', '--run-id', 'r1');
  expect(run).toMatchObject({ err: '', code: 3 });
  expect(run.out).toMatch(
    /◐ run r1 waits for a person\n.*Q1 {2}approve[\s\S]*May it go out\?\n.*1\) approve\n.*2\) refuse\n.*tutti answer Q1 1\n$/,
  );
  expect((await cli(options, 'inbox')).out).toContain('r1, approve');
  expect(JSON.parse((await cli(options, 'inbox', '--json')).out)).toMatchObject({
    questions: [{ id: 'Q1', run_id: 'r1', text: 'May it go out?', options: ['approve', 'refuse'] }],
  });
  expect((await cli(options, 'runs')).out).toMatch(/◐ r1 +waiting/);

  expect(await cli(options, 'answer', 'Q1', '7')).toMatchObject({ code: 64, out: '' });
  // A typo is no refusal: the question stays open.
  const typo = await cli(options, 'answer', 'Q1', 'aprove');
  expect(typo).toMatchObject({ code: 64, out: '' });
  expect(typo.err).toContain(
    "Q1: 'aprove' is none of approve, refuse; did you mean 'approve'?\n  → see the options: tutti inbox",
  );
  expect((await cli(options, 'inbox')).out).toContain('Q1');
  expect(await cli({ ...options, stdin: '  \n' }, 'answer', 'Q1')).toMatchObject({ code: 64, out: '' });
  expect(await cli(options, 'answer', 'Q1')).toMatchObject({ code: 64, out: '' });
  const again = await cli(options, 'resume', 'r1');
  expect(again.code).toBe(3);
});

test('at a terminal it asks, and goes on with an answer from another terminal', async () => {
  using folder = tempFolder();
  write(folder.path, { 'flow.yaml': asking });
  const answers: Promise<unknown>[] = [];
  const run = await cli(
    {
      folder: folder.path,
      terminal: [80, 24],
      typed: [
        async (gone) => {
          answers.push(cli({ folder: folder.path, stdin: 'YES\n' }, 'answer', 'Q1', '-', '--json'));
          await once(gone, 'abort');
          return null;
        },
      ],
    },
    'run',
    'flow.yaml',
    '--run-id',
    'r1',
  );
  expect(await Promise.all(answers)).toMatchObject([
    { code: 0, err: '', out: expect.stringContaining('"answer":"approve"') },
  ]);
  expect(run.code).toBe(0);
  expect(run.err).toContain("Q1 was already answered with 'approve' by ");
  expect(run.out).toMatch(/✔ run r1 succeeded/);
  expect(await cli({ folder: folder.path }, 'answer', 'Q1', 'no')).toMatchObject({
    code: 1,
    err: expect.stringContaining("Q1 was already answered with 'approve' by ") as string,
  });
});

test('what failed is tried again by resume, and nothing else is', async () => {
  using folder = tempFolder();
  const options = { folder: folder.path };
  write(folder.path, { 'flow.yaml': failing });
  const run = await cli(options, 'run', 'flow.yaml', '--run-id', 'r1');
  expect(run).toMatchObject({ err: '', code: 1 });
  expect(run.out).toMatch(/✕ run r1 ended with FAILURE .*\n.*tutti report r1\n.*tutti resume r1\n$/);
  expect((await cli(options, 'status')).out).toMatch(
    /✕ broken .*the disk is made of cheese[\s\S]*○ later .*blocked/,
  );

  writeFileSync(join(folder.path, 'go'), '');
  const resumed = await cli(options, 'resume');
  expect(resumed).toMatchObject({ err: '', code: 0 });
  expect(resumed.out).toMatch(/^run r1 continues; again: broken\n/);
  expect(resumed.out).not.toContain('fine');
  expect(await cli(options, 'resume')).toMatchObject({
    code: 64,
    out: '',
    err: expect.stringContaining('nothing to resume'),
  });
  const named = await cli(options, 'resume', 'r1', '--step', 'later', '--step', 'fine');
  expect(named).toMatchObject({ code: 0 });
  expect(named.out).toMatch(/again: (later, fine|fine, later)/);
  expect(named.out).not.toContain('broken started');
  expect(await cli(options, 'resume', 'r1', '--step', 'nope')).toMatchObject({ code: 64 });
});

test('a run that another process advances is left to it, and said so in one sentence', async () => {
  using folder = tempFolder();
  const options = { folder: folder.path };
  write(folder.path, { 'flow.yaml': 'steps:\n  - {id: slow, command: [sleep, "1"]}\n' });
  const others: Promise<CliEnd>[] = [];
  const run = await cli(
    {
      ...options,
      onOutput: (all) => {
        if (others.length === 0 && all.includes('slow started')) others.push(cli(options, 'resume', 'r1'));
      },
    },
    'run',
    'flow.yaml',
    '--run-id',
    'r1',
  );
  expect(run.code).toBe(0);
  expect(await Promise.all(others)).toMatchObject([
    {
      code: 1,
      out: '',
      err: expect.stringMatching(
        /^tutti: run r1 is already advanced by process .*\n.*tutti events r1 --follow\n$/,
      ),
    },
  ]);
});

test('Ctrl-C once drains and leaves a run that resume finishes', async () => {
  using folder = tempFolder();
  write(folder.path, {
    'flow.yaml':
      'steps:\n  - {id: slow, command: [sh, -c, "until [ -e go ]; do sleep 0.05; done"]}\n  - {id: next, needs: [slow], command: [echo, x]}\n',
  });
  let sent = false;
  const run = await cli(
    {
      folder: folder.path,
      onOutput: (all, control) => {
        if (!sent && all.includes('slow started')) setTimeout(() => control.signal('SIGINT'), 10);
        sent ||= all.includes('slow started');
        // It ends only after the signal was heard, however slow the machine is.
        if (all.includes('halting')) write(folder.path, { go: '' });
      },
    },
    'run',
    'flow.yaml',
    '--run-id',
    'r1',
  );
  expect(run).toMatchObject({ code: 24, err: '' });
  expect(run.out).toMatch(
    /halting: 1 command still works and may finish[\s\S]*✔ slow done[\s\S]*run r1 is halted.*\n {2}→ continue: tutti resume r1\n$/,
  );
  expect(run.out).not.toContain('next started');
  const resumed = await cli({ folder: folder.path }, 'resume');
  expect(resumed.code).toBe(0);
  expect(resumed.out).not.toContain('slow started');
});

test('Ctrl-C twice stops at once and leaves a run that can be resumed', async () => {
  using folder = tempFolder();
  write(folder.path, { 'flow.yaml': 'steps:\n  - {id: slow, command: [sleep, "3600"]}\n' });
  let sent = false;
  const run = await cli(
    {
      folder: folder.path,
      terminal: [80, 24],
      onOutput: (all, control) => {
        if (sent || !all.includes('● slow')) return;
        sent = true;
        setTimeout(() => control.signal('SIGINT'), 20);
        setTimeout(() => control.signal('SIGINT'), 60);
      },
    },
    'run',
    'flow.yaml',
    '--run-id',
    'r1',
  );
  expect(run).toMatchObject({ code: 20, err: '' });
  expect(run.out).toMatch(/stopping: [\s\S]*run r1 was stopped .*\n {2}→ continue: tutti resume r1\n$/);
});

test('a fourth Ctrl-C leaves at once, and names the command that finishes the stop', async () => {
  using folder = tempFolder();
  write(folder.path, { 'flow.yaml': 'steps:\n  - {id: slow, command: [sleep, "60"]}\n' });
  let sent = false;
  const run = await cli(
    {
      folder: folder.path,
      onOutput: (all, control) => {
        if (sent || !all.includes('slow started')) return;
        sent = true;
        setTimeout(() => {
          for (const _press of [1, 2, 3, 4]) control.signal('SIGINT');
        }, 20);
      },
    },
    'run',
    'flow.yaml',
    '--run-id',
    'r1',
  );
  expect(run.err).toContain('left with 20');
  expect(run.out).toContain(
    'left before the stop of run r1 was recorded; finish stopping it: tutti stop r1\n',
  );
});

test('a parked run can be halted, resumed and stopped, and each says what comes next', async () => {
  using folder = tempFolder();
  const options = { folder: folder.path };
  write(folder.path, { 'flow.yaml': asking });
  await cli(options, 'run', 'flow.yaml', '--run-id', 'r1');
  expect(await cli(options, 'halt', 'r1', '--reason', 'lunch')).toMatchObject({
    code: 0,
    err: '',
    out: 'run r1 is halted\n  → continue: tutti resume r1\n',
  });
  expect(JSON.parse((await cli(options, 'halt', 'r1', '--json')).out)).toEqual({
    run_id: 'r1',
    state: 'halted',
  });
  expect((await cli(options, 'status')).out).toContain('tutti resume r1');
  expect((await cli(options, 'resume')).code).toBe(3);
  expect(await cli(options, 'stop', '--all')).toMatchObject({
    code: 0,
    err: '',
    out: 'run r1 is stopped: nothing of it is alive\n  → continue: tutti resume r1\n',
  });
  expect((await cli(options, 'stop', '--all')).out).toBe('no run is under way\n');
  expect(JSON.parse((await cli(options, 'stop', 'r1', '--json')).out)).toMatchObject({
    stopped: [{ run_id: 'r1', left: [], already_ended: 'INTERRUPTED' }],
  });
  expect(await cli(options, 'halt', 'r1')).toMatchObject({ code: 64 });
  expect(await cli(options, 'stop', 'r1', '--all')).toMatchObject({ code: 64 });
  expect(await cli(options, 'stop', 'all')).toMatchObject({
    code: 64,
    err: "tutti: there is no run 'all'\n  → to stop every unfinished run: tutti stop --all\n",
  });
  expect(await cli(options, 'stop', 'last')).toMatchObject({
    code: 64,
    err: "tutti: there is no run 'last'\n  → give a run's id, or --all; see the ids: tutti runs\n",
  });
});

test('rebuild makes every view again from the database', async () => {
  using folder = tempFolder();
  const options = { folder: folder.path };
  write(folder.path, { 'flow.yaml': quick });
  await cli(options, 'run', 'flow.yaml', '--run-id', 'r1');
  const views = join(folder.path, '.tutti', 'runs', 'r1');
  // What programs printed is no view: it lies beside them and cannot be made again.
  const viewsOnly = () => contentsOf(views).filter((entry) => !entry.startsWith('/tasks'));
  const before = viewsOnly();
  rmSync(views, { recursive: true });
  expect(await cli(options, 'rebuild')).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining('1 run again'),
  });
  expect(viewsOnly()).toEqual(before);
  rmSync(views, { recursive: true });
  writeFileSync(views, 'in the way');
  const blocked = await cli(options, 'rebuild', 'r1');
  expect(blocked).toMatchObject({ code: 69, out: '' });
  expect(blocked.err).toMatch(/→ see what is in its way: ls -ld \S+\n/);
});

test('any command mentions a run that nobody advances, and none that waits for people', async () => {
  using folder = tempFolder();
  const options = { folder: folder.path };
  write(folder.path, { 'flow.yaml': asking });
  await cli(options, 'run', 'flow.yaml', '--run-id', 'r1');
  expect((await cli(options, 'runs')).err).toBe('');
  // An answer that no command gave: as if the process died right after it.
  const { openTutti } = await import('../rig/trust.ts');
  const opened = openTutti({ folder: folder.path, env: { HOME: folder.path }, create: false });
  if (!opened.ok) throw new Error(opened.error.message);
  using tutti = opened.value;
  const [question] = await tutti.queries.openQuestions('r1');
  await tutti.store.answer('r1', question?.key ?? '', { text: 'yes', by: 'ada', at: 1 });
  expect((await cli(options, 'runs')).err).toBe(
    '1 run is waiting and no process advances it; continue it: tutti resume r1\n',
  );
  expect((await cli(options, 'runs', '--json')).err).toBe('');
  expect(await cli(options, 'resume')).toMatchObject({ code: 0, err: '' });
});

test.each([
  ['true', 0, 'had already succeeded: nothing of it is alive\n  → read more: tutti report r1', 'SUCCESS'],
  [
    'false',
    1,
    'had already ended with FAILURE: nothing of it is alive\n  → continue: tutti resume r1',
    'FAILURE',
  ],
])('stop says how a run of %s ended before it', async (program, code, says, outcome) => {
  using folder = tempFolder();
  const options = { folder: folder.path };
  write(folder.path, { 'flow.yaml': `name: over\nsteps: [{ id: a, command: ['${program}'] }]\n` });
  expect(await cli(options, 'run', 'flow.yaml', '--run-id', 'r1')).toMatchObject({ code });
  expect(await cli(options, 'stop', 'r1')).toMatchObject({ code: 0, out: `run r1 ${says}\n` });
  const { out } = await cli(options, 'stop', 'r1', '--json');
  expect(JSON.parse(out)).toEqual({
    stopped: [{ run_id: 'r1', processes: 0, left: [], already_ended: outcome, unrecorded: null }],
  });
});
