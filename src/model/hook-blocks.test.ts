import { expect, test } from 'vitest';
import { blockIn } from './hook-blocks.ts';

function entry(content: unknown, promptId = 'p1'): string {
  return JSON.stringify({ promptId, type: 'user', message: { role: 'user', content } });
}

const refusal = {
  type: 'tool_result',
  content: 'PreToolUse:Write hook error: [./guard.sh]: no writes here\n',
  is_error: true,
  tool_use_id: 'toolu_7',
};

test('what a hook refused is found in the record of the conversation, for the prompt that is asked about', () => {
  const block = { event: 'blocked', tool: 'Write', reason: '[./guard.sh]: no writes here', id: 'toolu_7' };
  expect(blockIn(entry([{ type: 'text' }, refusal]), 'p1')).toEqual(block);
  expect(blockIn(entry([refusal]), 'p2')).toBeNull();
});

test.each([
  ['an agent that only says so', entry([{ type: 'text', text: refusal.content }])],
  ['a tool that succeeded with such words', entry([{ ...refusal, is_error: false }])],
  ['another error', entry([{ ...refusal, content: 'a hook error of another kind' }])],
  ['no blocks', JSON.stringify({ promptId: 'p1', message: 'hook error' })],
  ['no object', '["hook error"]'],
  ['a torn line', '{"promptId":"p1","hook error'],
  ['an ordinary line', entry('hello')],
])('%s is none', (_, line) => {
  expect(blockIn(line, 'p1')).toBeNull();
});
