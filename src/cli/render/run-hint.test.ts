import { expect, test } from 'vitest';
import type { StepStatus } from '../../app/status/step-status.ts';
import { recorded } from '../../lib/json.ts';
import type { Outcome } from '../../model/outcome.ts';
import { endedHint, logHint } from './run-hint.ts';

/** A failed task with the parts `[id, outcome]`; a turn has a session of the same name. */
function failedTask(...parts: readonly (readonly [string, Outcome])[]): StepStatus {
  const isTurn = (id: string): boolean => /^T001(?:\/(?:heal|verify).*)?$/.test(id);
  const all = parts.map(([id, outcome]) => ({
    id,
    key: `${id}@1`,
    kind: isTurn(id) ? ('session' as const) : ('task' as const),
    state: 'done' as const,
    attempt: 1,
    sessionId: isTurn(id) ? id : null,
    outcome,
  }));
  return {
    id: 'T001',
    name: null,
    key: null,
    state: 'failed',
    attempts: 1,
    sessionId: all.findLast(({ sessionId }) => sessionId !== null)?.sessionId ?? null,
    outcome: 'FAILURE',
    message: null,
    startedAt: 0,
    endedAt: 1,
    tookMs: 1,
    parts: all,
  };
}

test.each([
  [
    'its verifier refuses the same work twice',
    [
      ['T001', 'SUCCESS'],
      ['T001/verify', 'FAILURE'],
      ['T001/judgement', 'FAILURE'],
      ['T001/heal-1', 'SUCCESS'],
      ['T001/verdict', 'NEEDS_ESCALATION'],
    ],
    'read what its verifier printed: tutti logs T001/verify',
  ],
  [
    'a criterion fails after its verifier refused',
    [
      ['T001', 'SUCCESS'],
      ['T001/verify', 'FAILURE'],
      ['T001/heal-1', 'SUCCESS'],
      ['T001/accept-1', 'FAILURE'],
    ],
    'read what its agent printed: tutti logs T001/heal-1',
  ],
  [
    'its work does not land',
    [
      ['T001', 'SUCCESS'],
      ['T001/verify', 'SUCCESS'],
      ['T001/land', 'FAILURE'],
    ],
    'read what its agent printed: tutti logs T001',
  ],
] as const)('where %s, the hint names the log that says why', (_case, parts, hint) => {
  expect(logHint([failedTask(...parts)])).toBe(hint);
});

test('where no task of a plan failed, the hint names none to edit', () => {
  const run = { id: 'shop-execute', workflow: 'execute' };
  const status = recorded<Parameters<typeof endedHint>[0]>({
    run,
    budget: null,
    skipped: null,
    source: null,
    steps: [],
  });
  expect(endedHint(status, 'NEEDS_ESCALATION')).toBe('try what failed again: tutti resume shop-execute');
  expect(endedHint({ ...status, steps: [failedTask()] }, 'NEEDS_ESCALATION')).toBe(
    'change the task first: tutti plan edit T001 --plan shop; or try what failed again: tutti resume shop-execute',
  );
});

test('where several tasks failed, the hint names the one whose log it prints', () => {
  const other = { ...failedTask(['T001', 'FAILURE']), id: 'T002' };
  expect(logHint([failedTask(['T001', 'FAILURE']), other])).toBe(
    'read what the agent of T001 printed: tutti logs T001',
  );
  expect(logHint([failedTask(['T001', 'SUCCESS'], ['T001/verify', 'FAILURE']), other])).toBe(
    'read what the verifier of T001 printed: tutti logs T001/verify',
  );
});
