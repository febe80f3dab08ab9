import { expect, test } from 'vitest';
import type { Json } from '../../lib/json.ts';
import type { Entry, EntryState } from '../../model/entry.ts';
import { stepStatuses } from './step-status.ts';

const at = Date.UTC(2026, 10, 18, 19, 0);

function entry(key: string, kind: Entry['kind'], state: EntryState, more: Partial<Entry>): Entry {
  const rest = { attempt: 1, losses: 0, spec: null, sessionId: null, change: 0, priority: 0, dueAt: null };
  return { key, kind, state, openedAt: at, endedAt: null, ...rest, ...more };
}

const facts = {
  runId: 'r',
  over: false,
  stopped: false,
  ends: new Map(),
  whyEnded: new Map(),
  questions: [],
  isAtWork: () => false,
  isLost: () => false,
  isLeft: () => false,
  held: true,
  until: () => at,
  whyQueued: () => '',
};

/** What a step says whose turn met a limit and that sleeps for a minute now. */
function messageAfter(value: Json): string | null {
  const turn: EntryState = { at: 'done', outcome: 'LIMIT_PAUSED', value };
  const entries = [
    entry('a@1', 'session', turn, { endedAt: at }),
    entry('a/limit-1@1', 'sleep', { at: 'open' }, { dueAt: at + 60_000 }),
  ];
  const [step] = stepStatuses([{ id: 'a', needs: [] }], entries, facts);
  return step?.message ?? null;
}

test('a paused step says when its limit ends only if the CLI told', () => {
  expect(messageAfter({ stop: 'limit', resetAt: at + 58_000 })).toBe('usage limit until 19:00:58 UTC');
  expect(messageAfter({ stop: 'limit', resetAt: null })).toBe('usage limit, tries again at 19:01:00 UTC');
  expect(messageAfter({ stop: 'limit', resetAt: null, limitKind: 'overload' })).toBe(
    'model overloaded, tries again at 19:01:00 UTC',
  );
});

test('a step that was stopped is interrupted once nothing of it is alive', () => {
  const stopped = [entry('a@1', 'session', { at: 'dropped' }, { endedAt: at })];
  const statusWhile = (isAlive: boolean) =>
    stepStatuses([{ id: 'a', needs: [] }], stopped, { ...facts, held: false, isAtWork: () => isAlive })[0];
  expect(statusWhile(true)).toMatchObject({
    state: 'running',
    outcome: null,
    endedAt: null,
    message: 'it was stopped, and its processes are still alive',
  });
  expect(statusWhile(false)).toMatchObject({ state: 'failed', outcome: 'INTERRUPTED', endedAt: at });
});
