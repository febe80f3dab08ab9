import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  sessionKillForm,
  sessionRowForm,
  sessionStatusForm,
} from '../../src/model/schemas/session-output.ts';
import { until } from '../rig/attempt-rig.ts';
import { tutti, writeProject } from '../rig/program.ts';
import { SessionProject } from './project.ts';

const slow = { timeout: 300_000 };

/** Asks in its result on its first turn, whatever the task, and succeeds once its prompt holds an answer. */
const asking = `prompt=$(cat)
echo "$TUTTI_TURN" >> "$TUTTI_PROJECT/ledger"
case $prompt in
  *"the blue one"*) echo '{"status":"success","summary":"it is blue"}' > "$TUTTI_RESULT" ;;
  *) echo '{"status":"blocked","summary":"unsure","questions":[{"text":"Which colour?","options":["the red one","the blue one"]}]}' > "$TUTTI_RESULT" ;;
esac
`;

function askingProject(): SessionProject {
  const project = new SessionProject({
    drivers: { mine: { type: 'command', command: ['sh', './asking.sh'] } },
  });
  writeProject(project.path, { 'asking.sh': asking, 'task.md': 'Paint it.' });
  return project;
}

test(
  'what a session’s agent asks is in the inbox, and the answer continues its conversation',
  slow,
  async () => {
    await using project = askingProject();
    const type = (...words: readonly string[]) => tutti(project.path, ...words);
    const created = await type('session', 'create', 'worker', 'task.md');
    const id = /created: (\S+)/.exec(created.stdout)?.[1] ?? '';
    const waiting = await type('session', 'wait', id);
    expect(waiting.code).toBe(3);
    expect(waiting.stderr).toMatch(
      new RegExp(`session ${id} waits for an answer: Which colour\\?\\n  → answer it: tutti answer Q1 TEXT`),
    );
    expect((await type('session', 'status', id)).stdout).toContain(
      'Question: Which colour? → tutti answer Q1 TEXT (tutti inbox shows what it offers)\n',
    );
    expect((await type('inbox')).stdout).toContain('Which colour?');
    expect((await type('answer', 'Q1', '2')).code).toBe(0);
    expect(await type('session', 'wait', id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('SUCCESS'),
    });
    expect(readFileSync(join(project.path, 'ledger'), 'utf8')).toBe('1\n2\n');
    const last: unknown = JSON.parse((await type('session', 'status', 'last', '--json')).stdout);
    expect(sessionStatusForm.parse(last)).toMatchObject({ continues: id, turn: 2, question: null });
  },
);

test('an agent that never stops asking ends for that reason, in wait and in status', slow, async () => {
  await using project = askingProject();
  writeProject(project.path, { 'asking.sh': asking.replace('the blue one', 'no answer at all') });
  const type = (...words: readonly string[]) => tutti(project.path, ...words);
  const created = await type('session', 'create', 'worker', 'task.md');
  const id = /created: (\S+)/.exec(created.stdout)?.[1] ?? '';
  for (const question of ['Q1', 'Q2']) {
    expect((await type('session', 'wait', id)).code).toBe(3);
    expect((await type('answer', question, '1')).code).toBe(0);
  }
  const waited = await type('session', 'wait', id);
  const why = 'the agent asked the same question again after two answers: Which colour?';
  expect(waited).toMatchObject({ code: 11, stdout: expect.stringContaining('COMPLETED  NEEDS_ESCALATION') });
  expect(waited.stdout).toContain(why);
  expect((await type('session', 'status', 'last')).stdout).toContain(why);
});

test(
  'every command about a session says that it waits for an answer while its question is open',
  slow,
  async () => {
    await using project = askingProject();
    const type = (...words: readonly string[]) => tutti(project.path, ...words);
    await type('session', 'create', 'worker', 'task.md');
    await type('session', 'wait', 'last');
    const { id } = (await project.open().queries.sessions.newest()) ?? { id: '' };
    const listed = await type('session', 'list');
    expect(listed.stdout).toMatch(new RegExp(`^${id} +worker +COMPLETED \\(waiting\\)`, 'm'));
    expect(listed.stderr).toContain('tutti inbox');
    const row: unknown = JSON.parse((await type('session', 'list', '--json')).stdout);
    expect(sessionRowForm.parse(row)).toMatchObject({ session_id: id, question: 'Q1' });
    expect((await type('session', 'status', id)).stdout).toContain('Activity: waiting: Which colour?\n');
    const status: unknown = JSON.parse((await type('session', 'status', id, '--json')).stdout);
    expect(sessionStatusForm.parse(status)).toMatchObject({ activity: 'waiting', question: 'Q1' });
    expect(await type('session', 'continue', id, 'go on')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /waits for an answer: Which colour\?\n {2}→ answer it: tutti answer Q1 TEXT/,
      ),
    });
    expect(await type('session', 'kill', id, '--force')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        new RegExp(
          `already terminated.*\nIt waits for an answer: Which colour\\?\n.*tutti answer Q1 TEXT.*\n.*tutti stop ${id}\n`,
        ),
      ),
    });
    const killed: unknown = JSON.parse((await type('session', 'kill', id, '--force', '--json')).stdout);
    expect(sessionKillForm.parse(killed)).toMatchObject({ how: 'already', question: 'Q1' });
    expect(JSON.parse((await type('inbox', '--json')).stdout)).toMatchObject({
      questions: [{ id: 'Q1', agent: 'worker', session_id: id }],
    });
    expect((await type('stop', id)).code).toBe(0);
    expect((await type('session', 'list')).stdout).not.toContain('waiting');
  },
);

test('questions that the caller’s schema declares are data, and nobody is asked', slow, async () => {
  await using project = askingProject();
  const schema = { type: 'object', properties: { questions: { type: 'array' } } };
  writeFileSync(join(project.path, 'quiz.json'), JSON.stringify(schema));
  const type = (...words: readonly string[]) => tutti(project.path, ...words);
  await type('session', 'create', 'worker', 'task.md', '--result-schema', 'quiz.json');
  expect((await type('session', 'wait', 'last')).stdout).toContain('reports blocked: unsure');
  await until('the run is over', async () => (await project.open().queries.openQuestions()).length === 0);
});
