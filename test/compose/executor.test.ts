import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { executorAnswerForm } from '../../src/model/schemas/spawn-output.ts';
import { ExecutorProject } from './executor-project.ts';
import { answerOf } from './project.ts';

test('a call gets the line of its action, and is accepted with the file that it wrote', async () => {
  using project = new ExecutorProject();
  const { code, out, err } = await project.work('WRITE', 'writes:docs/a.md says:STAGE_WRITE_COMPLETE');
  expect(code, err).toBe(0);
  expect(answerOf(out)).toMatchObject({
    STATUS: 'SUCCESS',
    EXIT_CODE: '0',
    DEPTH: '1',
    ARTIFACT: 'docs/a.md',
  });
  expect(project.begun).toEqual([
    "begin turn 1 tier medium depth 1: /work WRITE 'writes:docs/a.md says:STAGE_WRITE_COMPLETE'",
  ]);
  expect(project.noted('prompt-1')).toContain('Write only files that match one of these patterns');
});

test('with --json the answer is one object, with the answer word of an action that has answers', async () => {
  using project = new ExecutorProject();
  const { code, out, err } = await project.call(['executor', 'work', 'AUDIT', 'says:PASS', '--json']);
  expect(code, err).toBe(0);
  expect(executorAnswerForm.parse(JSON.parse(out))).toMatchObject({
    status: 'SUCCESS',
    answer: 'PASS',
    refinement: null,
    rescue: null,
  });
});

test('a sentence about failure is no account of one', async () => {
  using project = new ExecutorProject();
  const { code, err } = await project.work(
    'PLAN',
    'succeeds writes:docs/a.md says:it%never%said%STAGE_FAILED:%x',
  );
  expect(code, err).toBe(0);
});

test('a call that is wrong is refused with the command that is right, before anything is made', async () => {
  using project = new ExecutorProject();
  const wrong: readonly (readonly [words: readonly string[], said: string])[] = [
    [['nobody', 'PLAN', 'x'], 'there is no executor "nobody"'],
    [['work'], 'executor work needs an action: PLAN, WRITE, GATED, CHANGE, AUDIT'],
    [['work', 'PLEN', 'x'], 'has no action "PLEN"'],
    [['work', 'PLAN'], 'tutti executor work PLAN TARGET'],
    [['work', 'PLAN', 'x', '--cwd', '/etc'], '--cwd'],
    [['work', 'PLAN', 'x', '--extra-context', 'absent.md'], 'absent.md'],
    [['work', 'PLAN', 'x', '--run-id', '../x'], 'cannot be a run id'],
    [['work', 'PLAN', 'x', '--json', '--output-format', 'text'], 'contradict'],
  ];
  for (const [words, said] of wrong) {
    const { code, out, err } = await project.call(['executor', ...words]);
    expect({ words, code, out }, err).toEqual({ words, code: 64, out: '' });
    expect(err).toContain(said);
  }
  expect((await project.work('PLAN', 'x', '--max-depth', '0')).code).toBe(2);
  expect((await project.work('PLAN', 'x', '--estimate')).out).toContain('nothing was started');
  expect(existsSync(join(project.path, '.tutti'))).toBe(false);
  expect(project.begun).toEqual([]);
});
