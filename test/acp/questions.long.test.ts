import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Tutti } from '../../src/app/tutti.ts';
import { cli } from '../cli/rig.ts';
import { until } from '../rig/attempt-rig.ts';
import type { FakeStep } from '../rig/fake-acp-agent.ts';
import { playedPerson } from '../rig/person.ts';
import { tutti } from '../rig/program.ts';
import { AskingProject } from './project.ts';
import { openTutti } from '../rig/trust.ts';

const make: FakeStep = { ask: { kind: 'execute', title: 'make all', input: { command: 'make all' } } };
const install: FakeStep = { ask: { kind: 'execute', title: 'make install' } };
const limit = { timeout: 300_000 };

function answers(project: AskingProject): readonly string[] {
  const file = project.file('answers.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

/** Looks into the tables: on a busy machine a command takes as long as the session may live. */
async function askedSoon(project: AskingProject): Promise<void> {
  using tables = opened(project);
  await until('it asks', async () => (await tables.queries.openQuestions()).length === 1);
}

function opened(project: AskingProject): Tutti {
  const env = { PATH: process.env['PATH'], HOME: project.path };
  const found = openTutti({ folder: project.path, env, create: true });
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

test(
  'what an agent asks permission for is in the inbox, and an answer from another process reaches it',
  limit,
  async () => {
    await using project = new AskingProject([make]);
    const run = project.run();
    const [question] = await project.asked(1);
    expect(question).toMatchObject({
      id: 'Q1',
      run_id: 'r',
      step: 'build',
      agent: 'careful',
      text: 'permission to execute: make all',
      options: ['allow', 'deny', 'always'],
      evidence: { tool: 'execute', target: 'make all', input: '{"command":"make all"}' },
    });
    const id = question?.session_id ?? '';
    const lasts = Date.parse(question?.until ?? '') - Date.parse(question?.asked_at ?? '');
    expect(lasts).toBeGreaterThan(100_000);
    expect(lasts).toBeLessThanOrEqual(120_000);

    const status = await tutti(project.path, 'status', 'r');
    expect(status.stdout).toMatch(/run r · waiting/);
    expect(status.stdout).toMatch(/◐ build .* waits for permission to execute: make all/);
    expect((await tutti(project.path, 'runs')).stdout).toContain('waiting');
    const session = await tutti(project.path, 'session', 'status', id);
    expect(session.stdout).toContain('Activity: waiting: permission to execute: make all');

    expect(await tutti(project.path, 'answer', 'Q1', 'perhaps')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('answer allow, deny, always') as string,
    });
    const answered = await tutti(project.path, 'answer', 'Q1', 'Allow');
    expect(answered).toMatchObject({
      code: 0,
      stdout: "answered Q1 with 'allow': the session continues with it\n",
    });
    const end = await run.ended;
    expect(end.code, end.stderr).toBe(0);
    expect(end.stdout).toContain('Q1 from build/permission-1: permission to execute: make all');
    expect(end.stdout).toContain('build/permission-1 answered by');
    expect(answers(project)).toEqual(['make all: yes']);
    expect(await project.inbox()).toEqual([]);
    expect([await project.told('question.asked'), await project.told('question.answered')]).toEqual([1, 1]);
    expect(await tutti(project.path, 'answer', 'Q1', 'deny')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /Q1 was already answered with 'allow' by \S+, and the first decision counts/,
      ) as string,
    });
  },
);

test(
  'a driver that is killed takes no question with it: it is asked once, and the answer is heard',
  limit,
  async () => {
    await using project = new AskingProject([make, install]);
    const run = project.start();
    await project.asked(1);
    await project.abandon(run);
    expect((await project.inbox()).map(({ id }) => id)).toEqual(['Q1']);
    // Said to the session itself while nobody advances: the first question is over, and the second comes all the same.
    const id = (await project.inbox())[0]?.session_id ?? '';
    expect((await tutti(project.path, 'session', 'send', id, 'allow 1')).code).toBe(0);
    await until('it goes on', () => answers(project).length === 1);
    const [second] = await project.asked(1);
    // No process has recorded it, and the inbox records nothing: it is shown by its key.
    const key = `r/build/permission-2@${id}`;
    expect(second).toMatchObject({ id: key, text: 'permission to execute: make install', session_id: id });
    // Nobody advances the run: the answer brings somebody who does, and who reads the whole log again.
    expect((await tutti(project.path, 'answer', key, '2')).code).toBe(0);
    using tables = opened(project);
    await until('the run is over', async () => (await tables.queries.run('r'))?.state.at === 'ended');
    expect(answers(project)).toEqual(['make all: yes', 'make install: no']);
    expect([await project.told('question.asked'), await project.told('question.answered')]).toEqual([2, 2]);
    expect(await project.inbox()).toEqual([]);
  },
);

test(
  'whoever answers and dies before the session was told is not the only one who could',
  limit,
  async () => {
    await using project = new AskingProject([make]);
    const run = project.run();
    const [question] = await project.asked(1);
    using tables = opened(project);
    // All that `tutti answer` had done when it was killed.
    const given = { text: 'allow', by: 'ada', at: Date.now() };
    expect(await tables.store.answerInSession(question?.session_id ?? '', 1, given)).toBe(true);
    expect((await run.ended).code).toBe(0);
    expect(answers(project)).toEqual(['make all: yes']);
    expect(await project.told('question.answered')).toBe(1);
  },
);

test('two requests at once are two questions, each with its own answer', limit, async () => {
  const both: FakeStep = {
    asks: [
      { kind: 'execute', title: 'make all' },
      { kind: 'execute', title: 'make check' },
    ],
  };
  await using project = new AskingProject([both]);
  const run = project.run();
  const questions = await project.asked(2);
  expect(questions.map(({ id, text }) => [id, text])).toEqual([
    ['Q1', 'permission to execute: make all'],
    ['Q2', 'permission to execute: make check'],
  ]);
  expect((await tutti(project.path, 'answer', 'Q2', 'deny')).code).toBe(0);
  expect((await project.asked(1)).map(({ id }) => id)).toEqual(['Q1']);
  const status = await tutti(project.path, 'session', 'status', questions[0]?.session_id ?? '');
  expect(status.stdout).toContain('waiting: permission to execute: make all');
  expect((await tutti(project.path, 'answer', 'Q1', 'allow')).code).toBe(0);
  expect((await run.ended).code).toBe(0);
  expect(answers(project).toSorted()).toEqual(['make all: yes', 'make check: no']);
});

test('a session that is killed, or whose time is over, takes its questions with it', limit, async () => {
  await using killed = new AskingProject([make]);
  const run = killed.run();
  const [question] = await killed.asked(1);
  const id = question?.session_id ?? '';
  expect((await tutti(killed.path, 'session', 'kill', id, '--force')).code).toBe(0);
  await run.ended;
  expect(await killed.inbox()).toEqual([]);
  expect(await tutti(killed.path, 'answer', 'Q1', 'allow')).toMatchObject({
    code: 64,
    stderr: expect.stringContaining(`session ${id}, which asked Q1, has ended`) as string,
  });

  await using late = new AskingProject([make], '8s');
  const waiting = late.run();
  await askedSoon(late);
  expect((await waiting.ended).code).not.toBe(0);
  expect(await late.inbox()).toEqual([]);
  // An agent that is told before it is killed that its time is over hears a no.
  expect(answers(late).filter((answer) => !answer.endsWith(': no'))).toEqual([]);
});

test('a session that ends while nobody is awake leaves no question behind', limit, async () => {
  await using project = new AskingProject([make], '8s');
  const run = project.start();
  await askedSoon(project);
  await project.abandon(run);
  expect(await project.asked(0)).toEqual([]);
});

test('whatever an agent calls its tools, a person sees it whole and nothing but text', limit, async () => {
  const hostile = `\u001B]0;owned\u0007\u001B[2Kls\r\n\u202E${'x'.repeat(300)}; rm -rf ~`;
  await using project = new AskingProject([
    { ask: { kind: 'execute', title: hostile, input: { command: `\u001B[31m${hostile}` } } },
    // The denied call alone is no work, and the step would be tried again.
    { tool: { kind: 'read', title: 'look', status: 'completed' } },
  ]);
  const run = project.run();
  await project.asked(1);
  const shown = await cli({ folder: project.path, terminal: [80, 40] }, 'inbox');
  // eslint-disable-next-line no-control-regex -- what must not be there
  expect(shown.out).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/);
  expect(shown.out.split('\n').every((line) => line.length <= 80)).toBe(true);
  expect(shown.out.replaceAll(/\n */g, '')).toContain(`: ls ${'x'.repeat(300)}; rm -rf ~`);
  expect(shown.out).toMatch(/Q1 {2}r, build {2}\(.+ ago, .+ left\)\n +careful in session \S+ asks\n/);
  const status = await tutti(project.path, 'status', 'r');
  expect(status.stdout).not.toContain('\u001B');
  expect((await tutti(project.path, 'answer', 'Q1', 'deny')).code).toBe(0);
  const end = await run.ended;
  expect(end.stdout).not.toContain('\u001B');
  expect(answers(project).at(-1)).toMatch(/: no$/);
});

test(
  'a person who runs it on a terminal is asked what a live agent asks, and it continues with the answer',
  limit,
  async () => {
    await using project = new AskingProject([make]);
    const end = await cli(
      { folder: project.path, terminal: [100, 30], typed: ['allow'] },
      'run',
      'flow.yaml',
      '--run-id',
      'r',
    );
    expect(end.code, end.err).toBe(0);
    expect(end.out).toContain('permission to execute: make all');
    expect(answers(project)).toEqual(['make all: yes']);
  },
);

test('an agent cannot answer a request by a message to the session that asks', limit, async () => {
  await using project = new AskingProject([make]);
  const run = project.run();
  const [question] = await project.asked(1);
  const id = question?.session_id ?? '';
  const here = { folder: project.path };
  const agent = { ...here, caller: playedPerson({ TUTTI_SESSION_ID: id }) };
  for (const text of ['allow 1', ' always 1\n', 'deny 1'])
    expect(await cli(agent, 'session', 'send', id, text)).toMatchObject({
      code: 3,
      err: expect.stringContaining('only a person may answer a question'),
    });
  expect(answers(project)).toEqual([]);
  expect(await project.inbox()).toHaveLength(1);
  // Control: what answers nothing is delivered, and a person's answer counts.
  expect(await cli(agent, 'session', 'send', id, 'allow me a word')).toMatchObject({ code: 0 });
  expect(await cli(here, 'session', 'send', id, 'allow 1')).toMatchObject({ code: 0 });
  expect((await run.ended).code).toBe(0);
  expect(answers(project)).toEqual(['make all: yes']);
  const audit = await cli(here, 'session', 'audit', '--event', 'decision');
  expect(audit.out).toMatch(/answer.*request 1 of session/);
});
