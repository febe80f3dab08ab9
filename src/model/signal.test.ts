import { expect, test } from 'vitest';
import { renderSignal, signalFile } from './signal.ts';

test('a signal is one member a line, in a file that says how the part ended', () => {
  const signal = {
    layer: 'exec',
    name: 'ospec.plan',
    path: 'docs/a.md',
    size: 12,
    status: 'needs-refinement',
    createdAt: null,
    completedAt: '2026-02-07T10:00:00Z',
    traceId: 'feedfacefeedface',
    elapsedSeconds: 1.5,
  } as const;
  expect(signalFile(signal, 'ospec-plan')).toBe('.signals/exec-ospec-plan.refine');
  expect(signalFile({ layer: 'orch', status: 'success' }, 'x')).toBe('.signals/orch-x.done');
  expect(renderSignal(signal)).toContain('status: "needs-refinement"\ncreated_at: null\n');
  expect(renderSignal(signal).trimEnd().split('\n')).toHaveLength(10);
});
