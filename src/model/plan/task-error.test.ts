import { expect, test } from 'vitest';
import { failure, type FailureReason } from '../failure.ts';
import { categoryOfCommand, taskErrorOf } from './task-error.ts';

test('a failure tells its category, else its reason does', () => {
  const told = (category: string) => taskErrorOf(failure('gate', 'x', { evidence: { category } })).category;
  expect(['dependency', 'compilation', 'test', 'validation', 'runtime', 'weather'].map(told)).toEqual([
    'dependency',
    'compilation',
    'test',
    'validation',
    'runtime',
    'validation',
  ]);
  const byReason: Record<FailureReason, string> = {
    gate: 'validation',
    'no-progress': 'validation',
    'invalid-result': 'validation',
    needs: 'dependency',
    'sign-in': 'dependency',
    unavailable: 'dependency',
    exit: 'runtime',
    signal: 'runtime',
    timeout: 'runtime',
    'no-result': 'runtime',
    reported: 'runtime',
    lost: 'runtime',
    budget: 'runtime',
    depth: 'runtime',
    unmatched: 'runtime',
    ended: 'runtime',
    error: 'runtime',
  };
  const reasons = Object.keys(byReason) as FailureReason[];
  expect(
    Object.fromEntries(reasons.map((reason) => [reason, taskErrorOf(failure(reason, 'x')).category])),
  ).toEqual(byReason);
});

test('what a person must decide is not tried again by itself', () => {
  expect(taskErrorOf(failure('gate', 'x'))).toEqual({
    category: 'validation',
    message: 'x',
    retryable: true,
  });
  expect(taskErrorOf(failure('gate', 'x', { outcome: 'NEEDS_ESCALATION' })).retryable).toBe(false);
});

test('a command that builds fails by compilation, any other by test', () => {
  expect(['tsc -p .', 'npm run build', 'cargo build', 'make all'].map(categoryOfCommand)).toEqual(
    Array(4).fill('compilation'),
  );
  expect(['node --test', 'grep -q x y', 'npm test'].map(categoryOfCommand)).toEqual(Array(3).fill('test'));
});
