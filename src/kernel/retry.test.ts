import { expect, test } from 'vitest';
import { failure, type FailureReason } from '../model/failure.ts';
import { outcomes, type BadOutcome } from '../model/outcome.ts';
import { mayRetry, type FailedTry } from './retry.ts';

const failed = (message: string, progress = 'p', reason: FailureReason = 'gate'): FailedTry => ({
  failure: failure(reason, `${message} after ${performance.now()} ms`),
  of: { what: message },
  progress,
});

test('the first failure has nothing to compare with and may be tried again', () => {
  expect(mayRetry([], 0)).toEqual({ verdict: 'retry' });
  expect(mayRetry([failed('x')], 1)).toEqual({ verdict: 'retry' });
});

test('a refused sign-in and a cassette without a turn are never tried again', () => {
  for (const reason of ['sign-in', 'unmatched'] as const) {
    expect(mayRetry([failed('x', 'p', reason)], 5)).toMatchObject({
      verdict: 'give-up',
      failure: { reason },
    });
  }
});

test('there are not more tries than were granted', () => {
  expect(mayRetry([failed('x')], 0)).toMatchObject({ verdict: 'give-up', failure: { reason: 'gate' } });
  expect(mayRetry([failed('x'), failed('y')], 1)).toMatchObject({
    verdict: 'give-up',
    failure: { message: expect.stringMatching(/^y /) as string },
  });
});

test('the same failure on the same work is a reason to ask somebody', () => {
  expect(mayRetry([failed('x'), failed('x')], 5)).toMatchObject({
    verdict: 'give-up',
    failure: { reason: 'no-progress', outcome: 'NEEDS_ESCALATION', evidence: { tries: 2 } },
  });
});

test('another failure, or the same one on other work, is progress', () => {
  expect(mayRetry([failed('x'), failed('y')], 5)).toEqual({ verdict: 'retry' });
  expect(mayRetry([failed('x', 'before'), failed('x', 'after')], 5)).toEqual({ verdict: 'retry' });
});

test('another reason for the same thing is another failure', () => {
  const [gate, timeout] = (['gate', 'timeout'] as const).map((reason) => failed('x', 'p', reason));
  expect(
    mayRetry(
      [gate, timeout].filter((one) => one !== undefined),
      5,
    ),
  ).toEqual({ verdict: 'retry' });
});

test('what trying again cannot help is given up at once', () => {
  const verdicts = Object.fromEntries(
    outcomes
      .filter((outcome): outcome is BadOutcome => outcome !== 'SUCCESS')
      .map((outcome) => [
        outcome,
        mayRetry([{ failure: failure('gate', 'x', { outcome }), of: null, progress: '' }], 3).verdict,
      ]),
  );
  const retried = Object.keys(verdicts).filter((outcome) => verdicts[outcome] === 'retry');
  expect(retried.toSorted()).toEqual(['FAILURE', 'NEEDS_REFINEMENT', 'PARTIAL_SUCCESS', 'TIMEOUT']);
});
