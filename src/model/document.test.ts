import { expect, test } from 'vitest';
import { problemOfDocument } from './document.ts';

test('what does not count of a document is told in one sentence', () => {
  expect(problemOfDocument({ at: 'missing', path: 'tasks/' })).toBe('the agent ended without writing tasks/');
  expect(problemOfDocument({ at: 'invalid', problems: [], left: '' })).toBe('');
  expect(problemOfDocument({ at: 'invalid', problems: ['a'], left: '' })).toBe('a');
  expect(problemOfDocument({ at: 'invalid', problems: ['a', 'b', 'c'], left: '' })).toBe('a; b; c');
  const seven = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  expect(problemOfDocument({ at: 'invalid', problems: seven, left: '' })).toBe('a; b; c; d; e and 2 more');
});
