import { expect, test } from 'vitest';
import { exitCodeOfGate } from './gate.ts';

test.for([
  [{ exit_code: 127 }, 127],
  [{ exit_code: null }, null],
  [{ path: 'a.txt' }, null],
  ['text', null],
] as const)('the exit code in the evidence %j is %s', ([evidence, code]) => {
  expect(exitCodeOfGate({ evidence })).toBe(code);
});
