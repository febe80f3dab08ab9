import { expect, test } from 'vitest';
import {
  acceptsCompletion,
  isLaunchable,
  isWaiting,
  nextAttempt,
  outcomeOfState,
  type EntryKind,
  type EntryState,
} from './entry.ts';
import { failure } from './failure.ts';

const lost = failure('lost', 'gone');
const states: readonly EntryState[] = [
  { at: 'open' },
  { at: 'launched' },
  { at: 'retrying', failure: lost },
  { at: 'done', outcome: 'PARTIAL_SUCCESS', value: 1 },
  { at: 'failed', failure: failure('budget', 'empty') },
  { at: 'lost' },
  { at: 'dropped' },
  { at: 'reopened' },
];
const where = (select: (state: EntryState) => boolean) => states.filter(select).map(({ at }) => at);

test('only what has no result may be opened again, with the next number', () => {
  expect(nextAttempt(undefined)).toBe(1);
  expect(where((state) => nextAttempt({ attempt: 4, state }) === 5)).toEqual(['lost', 'dropped', 'reopened']);
  expect(where((state) => nextAttempt({ attempt: 4, state }) === null)).toEqual([
    'open',
    'launched',
    'retrying',
    'done',
    'failed',
  ]);
});

test('only the current attempt may report, and only while it is awaited', () => {
  expect(where((state) => acceptsCompletion({ attempt: 2, state }, 2))).toEqual(['open', 'launched']);
  expect(where((state) => acceptsCompletion({ attempt: 2, state }, 1))).toEqual([]);
  expect(where((state) => acceptsCompletion({ attempt: 2, state }, 3))).toEqual([]);
  expect(where(isWaiting)).toEqual(['open', 'launched']);
});

test('what runs on a host passes admission, and nothing else', () => {
  const kinds: readonly EntryKind[] = ['step', 'task', 'session', 'ask', 'sleep', 'child', 'race'];
  expect(kinds.filter(isLaunchable)).toEqual(['task', 'session']);
});

test('every end has an outcome, and nothing else has one', () => {
  expect(states.map((state) => outcomeOfState(state))).toEqual([
    null,
    null,
    null,
    'PARTIAL_SUCCESS',
    'BUDGET_EXCEEDED',
    'FAILURE',
    'INTERRUPTED',
    null,
  ]);
});
