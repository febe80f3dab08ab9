import { expect, test } from 'vitest';
import { repeatedQuestion } from './repeated-question.ts';

const colour = { text: 'Which colour?' };

test('a question may be asked twice, and not a third time in other punctuation', () => {
  expect(repeatedQuestion([colour], [])).toBeNull();
  expect(repeatedQuestion([colour], [colour])).toBeNull();
  const third = { text: '  which  colour' };
  expect(repeatedQuestion([{ text: 'Which size?' }, third], [colour, colour])).toMatchObject({
    outcome: 'NEEDS_ESCALATION',
    message: expect.stringContaining('which colour') as string,
  });
});

test('a new question is asked however many were asked before it', () => {
  const others = [colour, colour, { text: 'Which size?' }];
  expect(repeatedQuestion([{ text: 'Which shape?' }], others)).toBeNull();
});
