import { expect, test } from 'vitest';
import { blankPlan } from '../../model/plan/plan-record.ts';
import type { Session } from '../../model/session.ts';
import { unknownUsage } from '../../model/usage.ts';
import { recorded } from '../../lib/json.ts';
import { planTokens } from './plan-tokens.ts';

const plan = blankPlan({ name: 'p', targetDir: '/t', projectType: 'new', stack: null, at: 1 });

async function tokensOf(planning: readonly Pick<Session, 'usage' | 'status'>[], record = plan) {
  const sessions = recorded<readonly Session[]>(JSON.parse(JSON.stringify(planning)));
  return planTokens(
    { sessions: { spending: async ({ runId }) => (runId === 'p-plan' ? sessions : []) } },
    record,
  );
}

const silent = { usage: unknownUsage, status: 'COMPLETED' } as const;
const told = { usage: { inputTokens: 7, outputTokens: 2, costUsd: 0.5 }, status: 'COMPLETED' } as const;

test('turns that tell nothing leave the sums of a plan unknown, and are counted', async () => {
  expect(await tokensOf([silent, silent, { usage: null, status: 'FAILED' }])).toEqual({
    input: null,
    output: null,
    cost_usd: null,
    turns_without_tokens: 3,
    turns_without_price: 3,
  });
});

test('known turns are added up beside unknown ones and what agents logged', async () => {
  const logged = { tokensIn: 10, tokensOut: 1, costUsd: 1 };
  expect(await tokensOf([told, silent], { ...plan, logged })).toEqual({
    input: 17,
    output: 3,
    cost_usd: 1.5,
    turns_without_tokens: 1,
    turns_without_price: 1,
  });
});

test('a plan on which no turn has ended has used nothing', async () => {
  const nothing = { input: 0, output: 0, cost_usd: 0, turns_without_tokens: 0, turns_without_price: 0 };
  expect(await tokensOf([])).toEqual(nothing);
  expect(await tokensOf([{ usage: null, status: 'RUNNING' }])).toEqual(nothing);
});
