import { expect, test } from 'vitest';
import { failure } from '../failure.ts';
import type { GateSpec } from '../flow.ts';
import type { AgentResult } from '../turn.ts';
import {
  answerOf,
  judgeAccount,
  type JudgedTurn,
  judgeTraces,
  listArtifacts,
  type TurnTraces,
} from './judge-call.ts';

const call = (gates: readonly GateSpec[] = [], answers: readonly string[] = []) => ({
  action: 'PLAN',
  rules: { writes: null, gates, timeoutMs: 1000, answers },
});

const turn = (text: string, result: Partial<AgentResult> | null = null): JudgedTurn => ({
  text,
  sessionId: 's1',
  failure: result === null ? failure('no-result', 'no result.json') : null,
  result:
    result === null
      ? null
      : { status: 'success', summary: '', artifacts: [], notes: [], questions: [], usage: null, ...result },
});

const traces = (more: Partial<TurnTraces> = {}): TurnTraces => ({
  written: [],
  own: more.written ?? [],
  named: { missing: [], found: [], ignored: [] },
  scope: { cwd: '', writes: null },
  others: [],
  ...more,
});

const tools: GateSpec = { kind: 'tools', min: 1 };

test('of a result and a last line the worse one counts', () => {
  expect(judgeAccount(call(), turn('', {}))).toBeNull();
  expect(judgeAccount(call(), turn('STAGE_PLAN_COMPLETE', {}))).toBeNull();
  expect(judgeAccount(call(), turn('STAGE_PLAN_COMPLETE'))).toBeNull();
  expect(judgeAccount(call(), turn('STAGE_FAILED: no target', {}))).toMatchObject({
    failure: { reason: 'reported', message: 'the agent reports: no target' },
  });
  expect(judgeAccount(call(), turn('STAGE_FAILED', {}))?.failure.message).toContain('without a reason');
  expect(judgeAccount(call(), turn('fine', { summary: 'STAGE_FAILED: in the result' }))).not.toBeNull();
});

test('an agent that gives no account fails, unless gates judge the work', () => {
  expect(judgeAccount(call(), turn('I am done'))?.failure.reason).toBe('no-result');
  expect(judgeAccount(call([tools]), turn('I am done'))).toBeNull();
});

test('an action with answers needs one of them', () => {
  const audit = call([], ['PASS', 'FAIL']);
  expect(judgeAccount(audit, turn('PASS'))).toBeNull();
  expect(answerOf(audit, turn('reasons\nPASS'))).toBe('PASS');
  expect(judgeAccount(audit, turn('it will pass', {}))?.failure.reason).toBe('invalid-result');
  expect(judgeTraces(audit, turn('PASS'), traces())).toBeNull();
});

test('a write outside the scope, a file that does not exist and an unchanged project are each found', () => {
  const of = (more: Partial<TurnTraces>, gates: readonly GateSpec[] = []) =>
    judgeTraces(call(gates), turn('', {}), traces(more))?.failure.message ?? null;
  expect(of({ written: ['a.md'] })).toBeNull();
  expect(of({ written: ['a.md'], scope: { cwd: '', writes: ['docs/**'] } })).toContain('may not write: a.md');
  expect(of({ named: { missing: ['b.md'], found: [], ignored: [] } })).toContain(
    'do not exist in the project: b.md',
  );
  expect(of({}, [{ kind: 'diff' }])).toBe('it changed no file');
});

test('success needs something that can be checked', () => {
  const isProven = (of: JudgedTurn, gates: readonly GateSpec[], more: Partial<TurnTraces> = {}) =>
    judgeTraces(call(gates), of, traces(more)) === null;
  expect(isProven(turn('I am done', {}), [])).toBe(false);
  // A file that was there before proves nothing.
  expect(isProven(turn('', {}), [], { named: { missing: [], found: ['README.md'], ignored: [] } })).toBe(
    false,
  );
  expect(isProven(turn('', {}), [], { named: { missing: [], found: ['dist/a'], ignored: ['dist/a'] } })).toBe(
    true,
  );
  // Beside a call that may write everything only what the agent names is its own.
  const beside = { written: ['a.md'], others: [{ cwd: '', writes: null }] };
  expect(isProven(turn('', {}), [], beside)).toBe(false);
  const named = { missing: [], found: ['a.md'], ignored: [] };
  expect(isProven(turn('', {}), [], { ...beside, named })).toBe(true);
  expect(isProven(turn('my report', {}), [tools])).toBe(true);
  expect(isProven(turn('STAGE_PLAN_COMPLETE\n', {}), [tools])).toBe(false);
});

test('of calls that share a turn the last one gives the account', () => {
  const shared = { ...call([tools]), also: [{ executor: 'spec', action: 'TEST', args: [] }] };
  expect(judgeAccount({ ...shared, rules: call().rules }, turn('STAGE_TEST_COMPLETE'))).toBeNull();
  expect(judgeAccount({ ...shared, rules: call().rules }, turn('STAGE_PLAN_COMPLETE'))).not.toBeNull();
  const markers = turn('STAGE_PLAN_COMPLETE\nSTAGE_TEST_COMPLETE', {});
  expect(judgeTraces(shared, markers, traces())?.failure.reason).toBe('no-result');
});

test('the artifacts are what the agent names, else what it wrote, else its report', () => {
  const named = { missing: [], found: ['a.md'], ignored: [] };
  expect(listArtifacts(turn('', {}), traces({ named, written: ['b.md'] }))).toEqual(['a.md']);
  expect(listArtifacts(turn('', {}), traces({ written: ['b.md'] }))).toEqual(['b.md']);
  expect(listArtifacts(turn('x'), traces())).toEqual(['.tutti/sessions/s1/output.log']);
});
