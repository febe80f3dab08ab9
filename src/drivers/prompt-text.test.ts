import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { promptText, taskOf } from './prompt-text.ts';

test('an agent reads who it is, a line, and what to do, byte for byte', () => {
  expect(promptText({ systemPrompt: 'You are X.\n', prompt: '  Do it.\r\n' })).toBe(
    'You are X.\n\n\n---\n\n**TASK DELEGATION**:\n\n  Do it.\r\n',
  );
});

test('the task is found again, whatever it says', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (prompt) => {
      expect(taskOf(promptText({ systemPrompt: 'who', prompt }))).toBe(prompt);
      expect(taskOf(promptText({ systemPrompt: '', prompt }))).toBe(prompt);
    }),
  );
  expect(taskOf('no delegation')).toBe('no delegation');
});
