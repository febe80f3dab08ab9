import { expect, test } from 'vitest';
import type { Refusal } from '../app/refusal.ts';
import { fail } from './fail.ts';

function failed(refusal: Refusal, json: boolean): string {
  let text = '';
  const stderr = { write: (part: string) => void (text += part) };
  expect(fail({ process: { stdout: { write: () => undefined }, stderr } }, refusal, json)).toBe(
    refusal.outcome,
  );
  return text;
}

const hostile: Refusal = {
  outcome: 'USAGE',
  message: 'the file \u001B[31mred\u001B[0m\nsays \u202Eno',
  hint: 'run: \u0007tutti doctor',
  detail: '3 | a: \u001B]0;title\u0007b\n  |    ^',
};

test('a sentence, the place, the next command; nothing of it can move the cursor', () => {
  expect(failed(hostile, false)).toBe(
    'tutti: the file red says no\n  3 | a: b\n    |    ^\n  → run: tutti doctor\n',
  );
});

test('as JSON it is one line, and the same words', () => {
  const text = failed(hostile, true);
  expect(text.match(/\n/g)).toHaveLength(1);
  expect(text.trimEnd()).not.toMatch(/\p{Cc}|\u202E/u);
  expect(JSON.parse(text)).toEqual({
    status: 'error',
    error: { code: 'USAGE', message: hostile.message, hint: hostile.hint, detail: hostile.detail },
  });
});
