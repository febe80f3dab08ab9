import { expect, test } from 'vitest';
import { parseJson } from './json-text.ts';

test('JSON is parsed, brackets inside texts do not count', () => {
  const text = `{"a": "${'['.repeat(500)}\\"${'{'.repeat(500)}", "b": [1, {"c": null}]}`;
  expect(parseJson(text)).toMatchObject({ ok: true, value: { b: [1, { c: null }] } });
});

test('nesting that would exhaust the stack is refused before it is parsed', () => {
  expect(parseJson(`${'['.repeat(101)}${']'.repeat(101)}`)).toEqual({
    ok: false,
    error: 'it is nested more than 100 levels deep',
  });
  expect(parseJson(`${'['.repeat(100)}${']'.repeat(100)}`).ok).toBe(true);
});

test('what is not JSON is a sentence with its place', () => {
  expect(parseJson('{')).toEqual({ ok: false, error: 'it ends too early' });
  expect(parseJson('')).toEqual({ ok: false, error: 'it ends too early' });
  expect(parseJson('{\n "a": x}')).toEqual({ ok: false, error: 'unexpected "x" at line 2, column 7' });
});
