import { expect, test } from 'vitest';
import { type Asked, matchTurn } from './match.ts';

const asked: Asked = {
  agent: 'coder',
  step: 'build',
  attempt: 1,
  turn: 1,
  task: 'write a library',
  fill: (text) => text.replace('{STEP}', 'build'),
  times: () => 1,
};
const match = (turns: Parameters<typeof matchTurn>[0]['turns'], rest: Partial<Asked> = {}) =>
  matchTurn({ turns }, { ...asked, ...rest }, 'c.yaml');

test('the first turn that fits is played, and a turn that asks nothing always fits', () => {
  const turns = [
    { match: { step: 'test' }, text: 'a' },
    { match: { step: 'build' }, text: 'b' },
    { text: 'c' },
  ];
  expect(match(turns)).toEqual({ found: true, turn: turns[1] });
  expect(match(turns, { step: 'other' })).toEqual({ found: true, turn: turns[2] });
});

test.each([
  [{ agent: 'reviewer' }, 'its agent is "reviewer", not "coder"'],
  [{ step: 'build/heal-1' }, 'its step is "build/heal-1", not "build"'],
  [{ attempt: 2 }, 'its attempt is 2, not 1'],
  [{ turn: 3 }, 'its turn is 3, not 1'],
  [{ contains: 'a program' }, 'the prompt does not contain "a program"'],
  [{ prompt: 'write' }, 'the prompt is not "write"'],
])('%j does not fit, and the answer says why', (condition, why) => {
  expect(match([{ match: condition }])).toEqual({
    found: false,
    why: `no turn of c.yaml fits agent coder, step build, attempt 1, turn 1; the nearest is turns[0], but ${why}`,
  });
});

test('the nearest turn is the one with the fewest differences', () => {
  const turns = [{ match: { agent: 'x', step: 'y' } }, { match: { agent: 'coder', step: 'y' } }];
  expect(match(turns)).toMatchObject({ why: expect.stringContaining('turns[1], but its step is "y"') });
  expect(match([])).toMatchObject({ why: expect.stringContaining('it has no turns') });
});

test('a whole prompt fits exactly, with its variables filled in', () => {
  const turns = [{ match: { prompt: 'go to {STEP}' }, text: 'a' }];
  expect(match(turns, { task: 'go to build' })).toEqual({ found: true, turn: turns[0] });
  expect(match(turns, { task: 'go to build ' }).found).toBe(false);
});

test('what was redacted in a recorded prompt may be anything, and nothing else may', () => {
  const fits = (prompt: string, task: string): boolean => match([{ match: { prompt } }], { task }).found;
  expect(fits('use [redacted:KEY] twice: [redacted:KEY].', 'use abc twice: abc.')).toBe(true);
  expect(fits('[redacted:KEY]', '')).toBe(true);
  expect(fits('use [redacted:KEY] now', 'use  now')).toBe(true);
  expect(fits('use [redacted:KEY] now', 'use now')).toBe(false);
  expect(fits('use [redacted:KEY] and [redacted:KEY] now', 'use abc or abc now')).toBe(false);
  expect(fits('use [redacted:KEY] now', 'lose abc now')).toBe(false);
  expect(fits('use [redacted:KEY] now', 'use abc now and then')).toBe(false);
});

test('what is asked several times is answered in the recorded order, and from the first again after the last', () => {
  const same = { agent: 'coder', prompt: 'again' };
  const turns = [
    { match: { ...same, nth: 2 }, text: 'second' },
    { match: { agent: 'coder', prompt: 'other', nth: 1 }, text: 'other' },
    { match: { prompt: 'again', agent: 'coder', nth: 1 }, text: 'first' },
    { match: { ...same, nth: 3 }, text: 'third' },
    { match: same, text: 'has no number' },
  ];
  const said = [1, 2, 3, 4, 5].map((n) => {
    const found = match(turns, { task: 'again', times: () => n });
    return found.found ? found.turn.text : found.why;
  });
  expect(said).toEqual(['first', 'second', 'third', 'first', 'second']);
});

test('a turn without a number is found without asking how often', () => {
  const times = (): number => {
    throw new Error('asked');
  };
  expect(match([{ match: { agent: 'coder' } }], { times }).found).toBe(true);
});
