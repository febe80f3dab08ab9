import { expect, test } from 'vitest';
import { marks, outcomeMark } from './marks.ts';

test('a run that succeeded in part has neither the mark of success nor that of failure', () => {
  expect(outcomeMark('PARTIAL_SUCCESS', '')).toEqual(marks.waiting);
  expect(outcomeMark('SUCCESS', '')).toEqual(marks.good);
  expect(outcomeMark('FAILURE', '')).toEqual(marks.bad);
});
