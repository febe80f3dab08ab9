import { expect, test } from 'vitest';
import type { Ctx } from '../../kernel/ctx.ts';
import { recorded } from '../../lib/json.ts';
import type { BaseFacts } from '../../model/plan/base-check.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { Question } from '../../model/question.ts';
import { checkBase } from './check-base.ts';

/** What is asked about a base on which the project's only command fails. */
async function askAbout(command: string, output: string, unlocked?: BaseFacts['unlocked']) {
  const asked: Question[] = [];
  const ends = [{ command, passed: false, exitCode: 1, durationMs: 2000, output }];
  const ctx: Pick<Ctx, 'emit'> & Record<'operation' | 'ask', unknown> = {
    emit: () => undefined,
    operation: async (_key: string, name: string) =>
      name === 'plan-base' ? { commit: 'c', tree: 't', setup: [], unlocked } : { ends },
    ask: async (_key: string, question: Question) => {
      asked.push(question);
      return { text: 'stop', by: 'user:ada', at: 0 };
    },
  };
  const input = recorded<PlanInput>({
    plan: 'p',
    planDir: '/p',
    round: 1,
    projectType: 'existing',
    testCommands: [command],
    commandTimeoutMs: 1000,
  });
  expect(await checkBase(recorded<Ctx>(ctx), input)).toMatchObject({ at: 'stopped' });
  expect(asked).toMatchObject([{ evidence: { ends } }]);
  return asked[0]?.text;
}

test('the question about a red base is short, and its evidence holds what the command printed', async () => {
  const output = Array.from({ length: 50 }, (_, at) => `    at frame ${at} (file.js:${at})`).join('\n');
  expect(await askAbout('npm test', output)).toBe(
    'Plan p: on the base, before any task, `npm test` ended with exit code 1 after 2.0s. ' +
      'Continue without it, run again after you fixed the cause and committed the fix, or stop?',
  );
});

test('the question about a red base names an environment in the workspace and the command that uses it', async () => {
  const venv = [
    ['python3', '-m', 'venv', '.venv'],
    ['.venv/bin/pip', 'install', '-e', '.'],
  ];
  expect(await askAbout('pytest', '', venv)).toContain(
    'because the project has no lock file: write `workspace: { setup: [[python3, -m, venv, .venv], ' +
      '[.venv/bin/pip, install, -e, .]], test_commands: [.venv/bin/pytest] }` to tutti.yaml; git must ignore .venv. ' +
      'Then answer `stop` and plan again: `tutti plan --plan p --refresh`. Continue',
  );
});

test('a command that an earlier release proposed is still named in the question about a red base', async () => {
  expect(await askAbout('npm test', '', 'npm install')).toContain(
    'commit one, or write `workspace: { setup: [[npm, install]] }` to tutti.yaml. Continue',
  );
});
