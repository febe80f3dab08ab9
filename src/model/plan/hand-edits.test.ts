import { expect, test } from 'vitest';
import { handEdits, overwrittenEdits, type Works } from './hand-edits.ts';

const works = (entries: Readonly<Record<string, string>>): Works => new Map(Object.entries(entries));
const left = works({ T001: 'a', T002: 'b', T003: 'c' });

test('changed, added and removed tasks are edits; the rest is as the agent left it', () => {
  const now = works({ T001: 'a', T002: 'mine', T004: 'new' });
  expect(handEdits(left, now, {})).toEqual({ T002: 'mine', T003: null, T004: 'new' });
});

test('an edit that an agent kept stays an edit; one that gave way to an agent is none any more', () => {
  const kept = works({ T001: 'a', T002: 'mine', T003: 'c' });
  expect(handEdits(kept, kept, { T002: 'mine', T003: 'older' })).toEqual({ T002: 'mine' });
});

test('an edit of an edit is the newer one', () => {
  expect(handEdits(left, works({ T001: 'a', T002: 'second', T003: 'c' }), { T002: 'first' })).toEqual({
    T002: 'second',
  });
});

test('overwritten is what is neither the edit nor gone as it was', () => {
  const edits = { T002: 'mine', T003: null, T004: 'new' };
  expect(overwrittenEdits(edits, works({ T001: 'x', T002: 'mine', T004: 'new' }))).toEqual([]);
  expect(overwrittenEdits(edits, works({ T002: 'theirs', T003: 'back' }))).toEqual(['T002', 'T003', 'T004']);
});
