import { expect, test } from 'vitest';
import type { Ctx } from '../../kernel/ctx.ts';
import { recorded } from '../../lib/json.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { Question } from '../../model/question.ts';
import { checkBase } from './check-base.ts';

test('the question about a red base is short, and its evidence holds what the command printed', async () => {
  const output = Array.from({ length: 50 }, (_, at) => `    at frame ${at} (file.js:${at})`).join('\n');
  const asked: Question[] = [];
  const ends = [{ command: 'npm test', passed: false, exitCode: 1, durationMs: 2000, output }];
  const ctx: Pick<Ctx, 'emit'> & Record<'operation' | 'ask', unknown> = {
    emit: () => undefined,
    operation: async (_key: string, name: string) =>
      name === 'plan-base' ? { commit: 'c', tree: 't', setup: [] } : { ends },
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
    testCommands: ['npm test'],
    commandTimeoutMs: 1000,
  });
  expect(await checkBase(recorded<Ctx>(ctx), input)).toMatchObject({ at: 'stopped' });
  expect(asked).toMatchObject([{ evidence: { ends } }]);
  expect(asked[0]?.text).toBe(
    'Plan p: on the base, before any task, `npm test` ended with exit code 1 after 2.0s. ' +
      'Continue without it, run again after you fixed the cause and committed the fix, or stop?',
  );
});
