import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { until } from '../rig/attempt-rig.ts';
import { tutti } from '../rig/program.ts';
import { repository } from '../rig/repository.ts';
import { AskingProject } from './project.ts';

const limit = { timeout: 300_000 };

/** A project whose agent is claude, or a stand-in for it that asks for these commands. */
function askingClaude(commands: readonly string[]): AskingProject {
  const project = new AskingProject([], '2m', { type: 'claude', program: './claude', permissions: 'ask' });
  const fake = repository('test/rig/fake-asking-claude.ts');
  const script = `#!/bin/sh\nexec '${process.execPath}' '${fake}' '${JSON.stringify(commands)}'\n`;
  writeFileSync(project.file('claude'), script);
  chmodSync(project.file('claude'), 0o755);
  return project;
}

function answers(project: AskingProject): readonly string[] {
  const file = project.file('answers.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

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
    const run = project.run();
    await project.asked(1);
    run.child.kill('SIGKILL');
    await run.ended;
    expect((await tutti(project.path, 'answer', 'Q1', 'allow')).code).toBe(0);
    await until('it is answered', () => answers(project).length === 1);
    expect(answers(project)).toEqual(['npm publish: yes']);
  },
);
