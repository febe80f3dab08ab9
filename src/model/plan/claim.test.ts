import { expect, test } from 'vitest';
import { type Claim, judgeClaim } from './claim.ts';

const claim: Claim = {
  declared: ['src/a.js'],
  claimed: { created: ['./src//a.js'], modified: [] },
  changes: { created: ['src/a.js'], modified: [], deleted: [] },
  others: new Set(),
};

function verdicts(changed: Partial<Claim>): readonly string[] {
  return judgeClaim({ ...claim, ...changed }).findings.map(({ status, evidence }) => `${status} ${evidence}`);
}

test('what was declared, claimed and done stands', () => {
  expect(judgeClaim(claim)).toEqual({
    own: { created: ['src/a.js'], modified: [], deleted: [] },
    undeclared: [],
    findings: [
      { name: 'something changed', status: 'PASS', evidence: 'src/a.js' },
      { name: 'only declared files changed', status: 'PASS', evidence: 'src/a.js' },
      { name: 'claimed files changed', status: 'PASS', evidence: 'src/a.js' },
    ],
  });
});

test('where nothing changed nothing was done', () => {
  const changes = { created: [], modified: [], deleted: [] };
  expect(verdicts({ changes, claimed: { created: [], modified: [] } })[0]).toBe(
    'FAIL nothing changed since the task was started',
  );
});

test('a file that was not declared is named, also one that was removed', () => {
  const changes = { created: ['src/a.js'], modified: ['README.md'], deleted: ['LICENSE'] };
  expect(verdicts({ changes })[1]).toBe('FAIL not declared: README.md, LICENSE');
});

test('a claimed file that did not change is named', () => {
  expect(verdicts({ claimed: { created: [], modified: ['src/b.js'] } })[2]).toBe(
    'FAIL not changed: src/b.js',
  );
});

test('what other tasks do in the same folder is theirs, unless this one declares it too', () => {
  const changes = { created: ['src/a.js', 'src/c.js'], modified: [], deleted: [] };
  const { own, findings } = judgeClaim({ ...claim, changes, others: new Set(['src/a.js', 'src/c.js']) });
  expect(own.created).toEqual(['src/a.js']);
  expect(findings.every(({ status }) => status === 'PASS')).toBe(true);
});

test('a long list is cut', () => {
  const created = Array.from({ length: 25 }, (_, index) => `f${index}`);
  expect(verdicts({ changes: { created, modified: [], deleted: [] } })[1]).toMatch(/f19 and 5 more$/);
});
