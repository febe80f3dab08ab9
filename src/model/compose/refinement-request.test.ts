import { expect, test } from 'vitest';
import { failure } from '../failure.ts';
import { renderRefinementRequest } from './refinement-request.ts';

const work = {
  stage: 'ospec.implement',
  artifact: 'src/a.ts',
  turns: 3,
  maxTurns: 3,
  failure: failure('gate', '`npm test` failed', { evidence: { output: '1 failing\n```' } }),
  rescue: 'refs/tutti/rescue/x',
};

test('a request has the parts that the layer above reads, with the evidence quoted as data', () => {
  const text = renderRefinementRequest(work);
  const headings = text.split('\n').filter((line) => line.startsWith('#'));
  expect(headings).toEqual([
    '# Refinement Request',
    '## Summary',
    '## Context',
    '## Issue',
    '## Diagnostics',
    '## Suggested Resolution',
  ]);
  expect(text).toContain(
    '- Stage: ospec.implement\n- Artifact: src/a.ts\n- Attempt: 3 of 3 (self-heal exhausted)',
  );
  expect(text).toContain('git show refs/tutti/rescue/x');
  expect(text).toContain('````\n1 failing\n```\n````');
});

test('a request without artifact, evidence or kept work says so, and suggests what fits the failure', () => {
  const suggested = (reason: 'budget' | 'timeout' | 'reported' | 'gate') => {
    const bare = { ...work, artifact: null, rescue: null, turns: 1, failure: failure(reason, 'it failed') };
    const text = renderRefinementRequest(bare);
    expect(text).toContain('- Artifact: none\n- Attempt: 1 of 3 (no further self-heal)');
    expect(text).not.toContain('git show');
    expect(text).not.toContain('Evidence');
    return text.slice(text.indexOf('## Suggested'));
  };
  expect(suggested('budget')).toContain('Raise the ceiling');
  expect(suggested('timeout')).toContain('--timeout');
  expect(suggested('reported')).toContain('the agent reports');
  expect(suggested('gate')).toContain('its gate or scope');
});
