import { expect, test } from 'vitest';
import type { Session } from '../../model/session.ts';
import { recorded } from '../../lib/json.ts';
import type { RunStatus } from '../status/run-status.ts';
import { executionReport } from './execution-report.ts';

const status = recorded<RunStatus>({
  run: { id: 'r', workflow: 'flow', startedAt: 0, endedAt: null, traceId: 't' },
  steps: [],
  outcome: null,
  message: null,
  state: 'running',
  budget: null,
  questions: [],
  incidents: [],
});

function session(costUsd: number | null): Session {
  return recorded<Session>({
    id: 's',
    key: 'a@1',
    agent: 'coder',
    driver: 'mine',
    tier: 'medium',
    status: 'COMPLETED',
    outcome: 'SUCCESS',
    usage: { inputTokens: 300, outputTokens: 60, costUsd },
  });
}

test('the price of a session is dollars without the digits that adding binary fractions leaves behind', () => {
  expect(executionReport(status, [session(0.0004 + 0.0008)])).toContain('| 300 | 60 | $0.0012 |');
  expect(executionReport(status, [session(null)])).toContain('| 300 | 60 | unknown |');
});
