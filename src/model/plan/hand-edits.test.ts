import { expect, test } from 'vitest';
import { handEdits, handPhases, overwrittenEdits, tasksOfPeople, type Works } from './hand-edits.ts';

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

const places = (entries: Readonly<Record<string, readonly [work: string, phase: number]>>) =>
  new Map(Object.entries(entries).map(([id, [work, phase]]) => [id, { work, phase }]));
const ordered = places({ T001: ['a', 2], T002: ['b', 3], T003: ['c', 3] });

test('a phase is chosen by a person where it is not what agents left, and in a task that a person added', () => {
  const now = places({ T001: ['a', 2], T002: ['b', 5], T003: ['other', 3], T004: ['new', 1] });
  expect(handPhases(left, ordered, now, {})).toEqual({
    T002: { work: 'b', phase: 5 },
    T004: { work: 'new', phase: 1 },
  });
});

test("a chosen phase stays a person's through that person's edits, and until the author's task is taken", () => {
  const known = { T002: { work: 'b', phase: 5 } };
  const kept = places({ T001: ['a', 2], T002: ['b', 5], T003: ['c', 3] });
  expect(Object.keys(handPhases(left, kept, kept, known))).toEqual(['T002']);
  const mine = places({ T002: ['mine', 5] });
  expect(handPhases(left, kept, mine, known)).toEqual({ T002: { work: 'mine', phase: 5 } });
  const taken = places({ T002: ['authors', 5] });
  expect(handPhases(works({ T002: 'authors' }), taken, taken, known)).toEqual({});
  const moved = places({ T002: ['b', 3] });
  expect(handPhases(left, moved, moved, known)).toEqual({});
});

test("a task is a person's because of its work or of its phase", () => {
  const phases = { T002: { work: 'b', phase: 5 }, T003: { work: 'c', phase: 4 } };
  expect(tasksOfPeople({ edits: { T001: null, T002: 'mine' }, phases })).toEqual({
    T001: null,
    T002: 'mine',
    T003: 'c',
  });
});
