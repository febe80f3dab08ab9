import { expect, test } from 'vitest';
import { describeFirstRelease } from '../rig/first-release.ts';
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

/** What the first release did wrong. `pay-once.long.test.ts` plays the same scenes with this program. */
describeFirstRelease('PAY', (program) => {
  test('pays for a planner again that still worked when tutti plan was typed again', async () => {
    expect(await planTypedAgain(program())).toEqual([
      'logical',
      'logical',
      'physical',
      'definition',
      'validation',
      'sequencing',
    ]);
  });

  test('pays for an executor again when the ceiling before its verifier is raised', async () => {
    expect((await ceilingRaised(program())).filter((turn) => turn === 'T001').length).toBeGreaterThan(1);
  });

  test('withdraws the question of a task when another task is executed alone', async () => {
    expect((await otherTaskAlone(program())).asked).toEqual([1, 0]);
  });

  test('heals without the answer that a person gave', async () => {
    expect(await healAfterAnswer(program())).not.toContain('the second one');
  });

  test('drops the fourth question, and the step succeeds', async () => {
    expect(await fourQuestions(program())).toEqual([
      'talk',
      'talk/answer-1',
      'talk/answer-2',
      'talk/answer-3',
    ]);
  });

  test('reports the budget alone when it refuses a healing turn, and estimates with a step that never succeeded', async () => {
    const { message, counted } = await healWithoutBudget(program());
    expect(message).not.toContain('never-there.txt');
    expect(counted).toBe(1);
  });

  test('lets the work fail, and pays for it again, when its verifier wrote to it', async () => {
    const { code, named, turns } = await verifierWrites(program());
    expect(code).toBe(11);
    // The second one is as the executor left it.
    expect(named).toEqual(['src/parse.js', 'test/parse.test.js']);
    expect(turns.filter((turn) => turn === 'T001')).toHaveLength(2);
  });

  test('pays for a verifier twice that looks at the same tree with the same prompt', async () => {
    expect(await verifiedAgain(program())).toEqual(['T001', 'T001/verify', 'T001/heal-1', 'T001/verify']);
  });

  test('launches three turns of a thousand tokens below a ceiling of 1500', async () => {
    expect((await beyondTokens(program())).toSorted()).toEqual(['a', 'b', 'c']);
  });
});
