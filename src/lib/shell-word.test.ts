import { expect, test } from 'vitest';
import { shellWord } from './shell-word.ts';

test('a plain path stays as it is, and anything else becomes one quoted word', () => {
  expect(shellWord('docs/a_b-1.md')).toBe('docs/a_b-1.md');
  expect(shellWord('try it')).toBe("'try it'");
  expect(shellWord("it's; rm")).toBe(String.raw`'it'\''s; rm'`);
  expect(shellWord('')).toBe("''");
});
