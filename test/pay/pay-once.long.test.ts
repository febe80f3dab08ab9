import { expect, test } from 'vitest';
import {
  beyondTokens,
  ceilingRaised,
  fourQuestions,
  healAfterAnswer,
  healWithoutBudget,
  otherTaskAlone,
  planTypedAgain,
  verifiedAgain,
  verifierWrites,
} from './scenarios.ts';

// `first-release.long.test.ts` records what the first release did in the same scenes.

test('tutti plan typed again after kill -9 adopts the planner that still works', async () => {
  expect(await planTypedAgain()).toEqual(['logical', 'physical', 'definition', 'validation', 'sequencing']);
});

test('a ceiling that is raised one by one pays for each turn once', async () => {
  expect(await ceilingRaised()).toEqual(['T001', 'T001/verify', 'T002', 'T002/verify']);
});

test('executing one task leaves the question of another one open, and its turn paid', async () => {
  expect(await otherTaskAlone()).toEqual({
    asked: [1, 1],
    turns: ['T001', 'T001/verify', 'T002', 'T003', 'T003/verify', 'T002/answer-1', 'T002/verify'],
    code: 0,
  });
});

test('a healing turn of an agent without conversations contains what a person answered', async () => {
  expect(await healAfterAnswer()).toContain('Question: Which one?\nAnswer: the second one');
});

test('the fourth question of a step is asked', async () => {
  expect(await fourQuestions()).toEqual([
    'talk',
    'talk/answer-1',
    'talk/answer-2',
    'talk/answer-3',
    'talk/answer-4',
  ]);
});

test('a run whose budget refuses a healing turn reports what should have been healed, and counts in no estimate', async () => {
  const { message, counted } = await healWithoutBudget();
  expect(counted).toBe(0);
  expect(message).toMatch(/never-there\.txt .*there was no budget to heal it: 1 of 1 launch of the run/);
});

test('work that its verifier wrote to lands as the executor left it, and is paid for once', async () => {
  expect(await verifierWrites()).toEqual({
    code: 0,
    named: ['src/parse.js'],
    turns: ['T001', 'T001/verify', 'T001/verify-again'],
  });
});

test('a verifier is paid for once where the turn that should heal the work changed nothing', async () => {
  expect(await verifiedAgain()).toEqual(['T001', 'T001/verify', 'T001/heal-1']);
});

test('a ceiling of tokens is kept by what turns of the agent took before', async () => {
  expect(await beyondTokens()).toHaveLength(1);
});
