import { expect, test } from 'vitest';
import { failure } from './failure.ts';
import { tiers } from './turn.ts';
import { tokensOf, unknownUsage } from './usage.ts';

test('a failure has the usual outcome of its reason, unless it is told another', () => {
  expect(failure('timeout', 'late')).toEqual({ outcome: 'TIMEOUT', reason: 'timeout', message: 'late' });
  expect(failure('needs', 'x', { outcome: 'PARTIAL_SUCCESS' }).outcome).toBe('PARTIAL_SUCCESS');
});

test('evidence is there only when there is some; null is some', () => {
  expect(failure('gate', 'x')).not.toHaveProperty('evidence');
  expect(failure('gate', 'x', { evidence: null })).toHaveProperty('evidence', null);
});

test('unknown usage counts as no tokens, but is not said to be zero', () => {
  expect(tokensOf(unknownUsage)).toBe(0);
  expect(unknownUsage.inputTokens).toBeNull();
  expect(tokensOf({ inputTokens: 2, outputTokens: 3, costUsd: null })).toBe(5);
});

test('tiers are ordered', () => {
  expect(tiers).toEqual(['low', 'medium', 'high']);
});
