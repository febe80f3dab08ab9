import { expect, test } from 'vitest';
import type { Entry, EntryState } from './entry.ts';
import { failure } from './failure.ts';
import { runsAgain } from './try-again.ts';

const done: EntryState = { at: 'done', outcome: 'SUCCESS', value: null };
const bad: EntryState = { at: 'done', outcome: 'FAILURE', value: null };
const killed: EntryState = { at: 'done', outcome: 'INTERRUPTED', value: null };
const refused: EntryState = { at: 'failed', failure: failure('budget', 'all launches are used') };
const broken: EntryState = { at: 'failed', failure: failure('unavailable', 'no such program') };

const entry = (key: string, state: EntryState, kind: Entry['kind'] = 'session'): Entry => ({
  key,
  kind,
  attempt: 1,
  state,
  losses: 0,
  spec: null,
  sessionId: null,
  change: 0,
  priority: 0,
  dueAt: null,
  openedAt: 0,
  endedAt: null,
});

const keys = (entries: readonly Entry[], failed: readonly string[], edited: readonly string[] = []) =>
  entries.filter(runsAgain(entries, new Set(failed), { edited: new Set(edited) })).map(({ key }) => key);

test('a failed step runs again with all its parts, and others do not', () => {
  const entries = [
    entry('a@1', done),
    entry('b@1', bad),
    entry('b/heal-1@1', broken),
    entry('b/verdict@1', done),
  ];
  expect(keys(entries, ['b'])).toEqual(['b@1', 'b/heal-1@1', 'b/verdict@1']);
  expect(keys(entries, [])).toEqual([]);
});

test('a step that stopped for its budget keeps what it paid for', () => {
  const entries = [entry('b@1', bad), entry('b/gate-1@1', bad), entry('b/heal-1@1', refused)];
  expect(keys(entries, ['b'])).toEqual(['b/heal-1@1']);
});

test('a step of which a turn was killed continues with that turn, and judges its work again', () => {
  const entries = [
    entry('b@1', bad),
    entry('b/gate-1@1', bad, 'task'),
    entry('b/heal-1@1', killed),
    entry('b/progress@2', done, 'task'),
    entry('b/verdict@1', killed, 'step'),
  ];
  const again = runsAgain(entries, new Set(['b']), { interrupted: new Set(['b']) });
  expect(entries.filter(again).map(({ key }) => key)).toEqual(['b/heal-1@1', 'b/progress@2', 'b/verdict@1']);
  // A step that was interrupted before it recorded anything has nothing to open.
  const none = runsAgain(entries, new Set(['c']), { interrupted: new Set(['c']) });
  expect(entries.filter(none)).toEqual([]);
});

test('what people answered to an agent stays, and what they answered to a gate is asked again', () => {
  const entries = [
    entry('b@1', done),
    entry('b/question-1@1', done),
    entry('b/question-1-2@1', done),
    entry('b/gate-1@1', done),
  ];
  expect(keys(entries, ['b'])).toEqual(['b@1', 'b/gate-1@1']);
});

test('what succeeded in a step that was edited stays', () => {
  expect(keys([entry('b@1', done), entry('b/gate-1@1', bad)], ['b'], ['b'])).toEqual(['b/gate-1@1']);
});
