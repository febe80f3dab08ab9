import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

test.each([
  ['neds', 'needs'],
  ['need', 'needs'],
  ['needss', 'needs'],
  ['nedes', 'needs'],
  ['NEEDS', 'needs'],
  ['promptfile', 'prompt_file'],
  ['x', null],
  ['completely-different', null],
  ['', null],
])('the nearest to %j is %j', (wanted, meant) => {
  expect(nearest(wanted, ['id', 'needs', 'prompt', 'prompt_file'])).toBe(meant);
});

test('of two that are near, the nearer one is meant, whatever their order', () => {
  expect(nearest('coder', ['codex', 'coders', 'coder'])).toBe('coder');
  expect(nearest('coder', ['coder', 'codex'])).toBe('coder');
});

test('a name of a million characters costs nothing', () => {
  expect(nearest('x'.repeat(1_000_000), ['needs'])).toBe(null);
});
