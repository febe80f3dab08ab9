import { expect, test } from 'vitest';
import { readAccount, readAnswer } from './stage-marker.ts';

const failed = (reason: string) => ({ at: 'failed', reason });

test.for([
  ['done\nSTAGE_PLAN_COMPLETE\n', { at: 'complete' }],
  ['`STAGE_PLAN_COMPLETE`', { at: 'complete' }],
  ['**stage_plan_complete**', { at: 'complete' }],
  ['STAGE_PLAN_COMPLETE, more or less', null],
  ['STAGE_TEST_COMPLETE', null],
  ['STAGE_FAILED: no target', failed('no target')],
  ['STAGE_FAILED', failed('')],
  ['STAGE_FAILED:', failed('')],
  ['I would say STAGE_FAILED: if it had failed', null],
  ['STAGE_FAILED: at first\nfixed\nSTAGE_PLAN_COMPLETE', { at: 'complete' }],
  ['STAGE_PLAN_COMPLETE\nSTAGE_FAILED: after all', failed('after all')],
  ['', null],
] as const)('%j', ([text, expected]) => {
  expect(readAccount(text, 'PLAN')).toEqual(expected);
});

test('an answer is a line of its own, and the last one counts', () => {
  const words = ['PASS', 'FAIL'];
  expect(readAnswer('FAIL\nno, better:\n`PASS`\n', words)).toBe('PASS');
  expect(readAnswer('it will PASS', words)).toBeNull();
  expect(readAnswer('', words)).toBeNull();
});
