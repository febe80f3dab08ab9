import { expect, test } from 'vitest';
import type { Entry, EntryKind } from './entry.ts';
import { timeOfRun, timeTaken } from './time-taken.ts';

function part(openedAt: number, endedAt: number | null, kind: EntryKind = 'task'): Entry {
  return {
    key: `a@${openedAt}`,
    kind,
    attempt: 1,
    state: endedAt === null ? { at: 'launched' } : { at: 'done', outcome: 'SUCCESS', value: null },
    losses: 0,
    spec: null,
    sessionId: null,
    change: 0,
    priority: 0,
    dueAt: null,
    openedAt,
    endedAt,
  };
}

const never = (): number => {
  throw new Error('every part has ended');
};

test('a step takes as long as its parts, and not longer because it is looked at again later', () => {
  const work = [part(100, 400), part(400, 450)];
  expect(timeTaken(work, never)).toBe(350);
  expect(timeTaken([...work, part(90_000, 90_010)], never)).toBe(360);
});

test('parts that overlap count once, in whichever order they were opened', () => {
  expect(timeTaken([part(0, 100), part(20, 60), part(50, 130)], never)).toBe(130);
  expect(timeTaken([part(500, 600), part(0, 100)], never)).toBe(200);
});

test('answers of people and pauses take no time of a step, nor does a clock that was set back', () => {
  expect(timeTaken([part(0, 10), part(10, 9000, 'ask'), part(9000, 20_000, 'sleep')], never)).toBe(10);
  expect(timeTaken([part(100, 50), part(60, 80)], never)).toBe(20);
});

test('a part that has not ended counts until it stopped', () => {
  const parts = [part(0, 10), part(10, null)];
  expect(timeTaken(parts, () => 70)).toBe(70);
  expect(timeTaken(parts, ({ openedAt }) => openedAt)).toBe(10);
});

test('the time in the queue for a slot counts for no part', () => {
  const queued: Entry = { ...part(10, null), state: { at: 'open' } };
  expect(timeTaken([part(0, 10), queued], never)).toBe(10);
  expect(timeTaken([part(0, 10), { ...queued, kind: 'child' }], () => 70)).toBe(70);
});

test('a run also has the turns of attempts that its parts have replaced, and not the time between them', () => {
  const turns = [
    { startedAt: 10, endedAt: 40 },
    { startedAt: 9005, endedAt: 9050 },
    { startedAt: null, endedAt: null },
  ];
  expect(timeOfRun([part(9000, 9060)], turns, never)).toBe(90);
  expect(timeOfRun([], [], never)).toBe(0);
});
