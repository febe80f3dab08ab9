import { expect, test } from 'vitest';
import { describeForeignChange, describeVerifierChange } from './foreign-change.ts';

const said =
  'the workspace was changed by another process before the verifier began; these files were restored: a, b';

test('a change of another process is described with its files and where they are kept', () => {
  expect(describeForeignChange(['a', 'b'], 'refs/r')).toBe(
    `${said}, and what they were is kept under refs/r`,
  );
  expect(describeForeignChange(['a', 'b'], null)).toBe(said);
});

test('what changed while a verifier judged is named, and nobody is blamed', () => {
  expect(describeVerifierChange(['a', 'b'])).toBe(
    'files changed while the verifier judged, and were restored: a, b',
  );
});
