import { expect, test } from 'vitest';
import { until } from '../rig/attempt-rig.ts';
import { tutti } from '../rig/program.ts';
import { answers, askingClaude } from './asking-claude.ts';

const limit = { timeout: 300_000 };

test(
  'what claude may not do unasked is in the inbox with tool and argument, and the answer reaches it',
  limit,
  async () => {
    await using project = askingClaude(['npm publish', 'npm test', 'npm test']);
    const run = project.run();
    expect(await project.asked(1)).toMatchObject([
      {
        id: 'Q1',
        text: 'permission to use Bash: npm publish',
        options: ['allow', 'deny', 'always'],
        evidence: { tool: 'Bash', target: 'npm publish', input: '{"command":"npm publish"}' },
      },
    ]);
    expect((await tutti(project.path, 'answer', 'Q1', 'deny')).code).toBe(0);
    await until('it asks again', () => answers(project).length === 1);
    expect(await project.asked(1)).toMatchObject([{ id: 'Q2', text: 'permission to use Bash: npm test' }]);
    expect((await tutti(project.path, 'answer', 'Q2', 'always')).code).toBe(0);
    const end = await run.ended;
    expect(answers(project)).toEqual(['npm publish: no', 'npm test: yes', 'npm test: yes']);
    expect(await project.told('question.asked'), end.stdout).toBe(2);
    expect(await project.inbox()).toEqual([]);
  },
);

test(
  'a question of claude outlives the process that advances the run, and is answered from another one',
  limit,
  async () => {
    await using project = askingClaude(['npm publish']);
    const run = project.start();
    await project.asked(1);
    await project.abandon(run);
    expect((await tutti(project.path, 'answer', 'Q1', 'allow')).code).toBe(0);
    await until('it is answered', () => answers(project).length === 1);
    expect(answers(project)).toEqual(['npm publish: yes']);
  },
);
