import { expect, test } from 'vitest';
import type { Json } from '../../lib/json.ts';
import { failureIn } from './turn-failure.ts';

function ended(sessionFailure: Json): Json {
  return { stopReason: 'end_turn', _meta: { jetbrains: { air: { version: 1, sessionFailure } } } };
}

test('a turn that ends with an error beside it has failed, in the words of the agent', () => {
  const failure = { severity: 'error', category: 'limit', title: 'Too Many Requests', actions: [] };
  expect(failureIn(ended(failure))).toBe('limit: Too Many Requests');
  expect(failureIn(ended({ ...failure, details: 'later' }))).toBe('limit: Too Many Requests: later');
});

test('a warning is no failure, nor is anything else', () => {
  expect(failureIn(ended({ severity: 'warning', title: 'it tries again' }))).toBeNull();
  for (const other of [null, 'x', {}, { _meta: [] }, ended(null)]) expect(failureIn(other)).toBeNull();
});
