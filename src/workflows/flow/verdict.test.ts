import { expect, test } from 'vitest';
import { recorded } from '../../lib/json.ts';
import type { Json } from '../../lib/json.ts';
import { failure } from '../../model/failure.ts';
import type { BadOutcome } from '../../model/outcome.ts';
import { endOfFlow, type StepVerdict } from './verdict.ts';

const done = (id: string): StepVerdict => ({ at: 'succeeded', id, summary: '', digest: id });
const failed = (id: string, outcome: BadOutcome = 'FAILURE'): StepVerdict => ({
  at: 'failed',
  id,
  failure: failure('gate', `${id} is broken`, { outcome }),
});
const skipped = (id: string, because: string): StepVerdict => ({ at: 'skipped', id, because });

function end(steps: readonly StepVerdict[], optional: readonly string[] = []) {
  return endOfFlow(recorded<Json>({ steps, optional }));
}

test('a required step that did not run fails the flow with the outcome of the optional step behind it', () => {
  const steps = [
    failed('lint', 'TIMEOUT'),
    skipped('tests', 'lint'),
    skipped('release', 'tests'),
    failed('docs', 'NEEDS_ESCALATION'),
  ];
  expect(end(steps, ['lint', 'docs'])).toEqual({
    outcome: 'TIMEOUT',
    message: 'lint: lint is broken; did not run: tests, release',
  });
});

test('an optional step that did not run keeps the flow a partial success', () => {
  const steps = [done('build'), failed('lint'), skipped('style', 'lint')];
  expect(end(steps, ['lint', 'style'])).toEqual({
    outcome: 'PARTIAL_SUCCESS',
    message: 'optional steps failed: lint',
  });
  expect(end([done('build')])).toEqual({ outcome: 'SUCCESS', message: null });
});

test('the message of a failed flow names the required steps behind the failed one', () => {
  const steps = [failed('build'), skipped('tests', 'build'), skipped('style', 'build'), failed('lint')];
  expect(end(steps, ['lint', 'style'])).toEqual({
    outcome: 'FAILURE',
    message: 'build: build is broken; did not run: tests',
  });
});
