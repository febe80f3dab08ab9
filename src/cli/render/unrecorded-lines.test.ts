import { expect, test } from 'vitest';
import { unrecordedRemedy } from './unrecorded-lines.ts';

test('the hint of a stop names what keeps its end from being recorded before the command that continues', () => {
  expect(unrecordedRemedy(null)).toBe('');
  expect(unrecordedRemedy('cannot use tutti.db: database or disk is full')).toBe('free space first; then ');
  expect(unrecordedRemedy('cannot use tutti.db: database is locked')).toBe('fix that first; then ');
});
