import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerQuestion } from '../../src/app/runs/answer-question.ts';
import { overdueRuns } from '../../src/app/runs/overdue.ts';
import { advanceOrAwait, advanceRun } from '../../src/app/runs/advance-run.ts';

import { tutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { ledger, lines, statusOf, until, untilEnded, writeShellProject } from './project.ts';
import { openTutti } from '../rig/trust.ts';

const asking = {
  name: 'asking',
  steps: [
    { id: 'asks', agent: 'coder', prompt: 'ask' },
    { id: 'after', needs: ['asks'], command: ['true'] },
  ],
};

test('without a terminal a run gives itself back when only people can go on, and an answer brings it to its end', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeShellProject(path, asking);
  const run = await tutti(path, 'run', 'flow.yaml', '--run-id', 'r');
  expect(run.code, run.stderr).toBe(3);
  expect(await statusOf(path, 'r')).toMatchObject({ state: 'waiting' });
  const inbox = await tutti(path, 'inbox', '--json');
  expect(inbox.stdout).toContain('Which colour?');

  const answered = await tutti(path, 'answer', 'Q1', 'red');
  expect(answered.code, answered.stderr).toBe(0);
  expect(await untilEnded(path, 'r')).toMatchObject({ outcome: 'SUCCESS' });
  expect(ledger(path)).toEqual(['asks begin', 'asks end', 'asks/answer-1 begin', 'asks/answer-1 end']);
  // Nothing but questions remained, and now not even those: the conductor goes by itself.
  const log = join(path, '.tutti', 'logs', 'conductor.log');
  await until('the conductor goes', () => lines(log).some((line) => line.includes('nothing left to do')));
  const second = await tutti(path, 'answer', 'Q1', 'blue');
  expect(second.code, second.stderr).toBe(1);
});

test('after an answer no command reports a run that no process advances, because the conductor has begun', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  const [asks] = asking.steps;
  const slow = { id: 'slow', needs: ['asks'], agent: 'coder', prompt: 'slow' };
  writeShellProject(path, { name: 'asking', steps: [asks, slow] });
  expect((await tutti(path, 'run', 'flow.yaml', '--run-id', 'r')).code).toBe(3);
  const opened = openTutti({ folder: path, env: { PATH: process.env['PATH'], HOME: path }, create: false });
  if (!opened.ok) throw new Error(opened.error.message);
  using here = opened.value;
  const answered = await answerQuestion(here, 'Q1', 'red');
  expect(answered).toMatchObject({ ok: true, value: { next: 'conductor' } });
  expect(await overdueRuns(here)).toEqual([]);
  expect(await here.queries.conductor()).not.toBeNull();
  writeFileSync(join(path, 'go'), '');
  expect(await untilEnded(path, 'r')).toMatchObject({ outcome: 'SUCCESS' });
});

test('a detached run is advanced by one conductor, however many are asked for', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  const slow = { name: 'slow', steps: [{ id: 'slow', agent: 'coder', prompt: 'slow' }] };
  writeShellProject(path, slow);
  const started = await Promise.all(
    ['a', 'b', 'c'].map((id) => tutti(path, 'run', 'flow.yaml', '--run-id', id, '--detach')),
  );
  expect(started.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
    [0, ''],
  ]);
  await until('all three work', () => ledger(path).filter((line) => line === 'slow begin').length === 3);
  writeFileSync(join(path, 'go'), '');
  for (const id of ['a', 'b', 'c']) expect(await untilEnded(path, id)).toMatchObject({ outcome: 'SUCCESS' });
  expect(ledger(path).filter((line) => line === 'slow begin').length).toBe(3);
});

test('a command whose run the conductor advances waits for it and exits with its outcome', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeShellProject(path, { name: 'slow', steps: [{ id: 'slow', agent: 'coder', prompt: 'slow' }] });
  expect((await tutti(path, 'run', 'flow.yaml', '--run-id', 'a', '--detach')).code).toBe(0);
  await until('it works', () => ledger(path).includes('slow begin'));
  const opened = openTutti({ folder: path, env: { PATH: process.env['PATH'], HOME: path }, create: false });
  if (!opened.ok) throw new Error(opened.error.message);
  using here = opened.value;
  // The control: what does not wait is refused.
  expect((await advanceRun(here, { runId: 'a', stay: false })).ok).toBe(false);
  const waiting = advanceOrAwait(here, { runId: 'a', stay: false });
  writeFileSync(join(path, 'go'), '');
  expect(await waiting).toEqual({ ok: true, value: 'SUCCESS' });
  expect(ledger(path).filter((line) => line === 'slow begin')).toHaveLength(1);
});
