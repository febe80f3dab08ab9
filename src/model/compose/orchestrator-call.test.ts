import { expect, test } from 'vitest';
import { failure } from '../failure.ts';
import { identifySteps } from '../compose-input.ts';
import { outlines } from '../outline.ts';
import { composeMembers } from '../members.ts';
import { endStages } from './end-stages.ts';
import type { CallEnd, ExecutorCall } from './executor-call.ts';
import {
  allowsNext,
  compressStages,
  depthOutcome,
  listScopesBeside,
  type OrchestratorInput,
  receive,
  type StageCall,
  type StageEnd,
} from './orchestrator-call.ts';
import { listRunFiles, signalStatus } from './run-files.ts';

const agent = { name: 'spec', systemPrompt: 'x', driver: 'mine', tier: 'low', result: 'required' } as const;
const call = (action: string, rules: Partial<ExecutorCall['rules']> = {}): ExecutorCall => ({
  executor: 'spec',
  action,
  args: ['a.md'],
  chosen: { tier: null, model: null, tools: null, driver: null },
  agent,
  rules: { writes: null, gates: [], timeoutMs: 1000, answers: [], ...rules },
});

const stage = (name: string, needs: readonly string[], more: Partial<StageCall> = {}): StageCall => ({
  name,
  needs,
  inputs: [],
  required: true,
  retryMax: 1,
  onDepth: 'abort',
  compressible: false,
  call: call(name.toUpperCase()),
  ...more,
});

const input = (stages: readonly StageCall[]): OrchestratorInput => ({
  layer: 'orchestrator',
  projectDir: '/p',
  cwd: '',
  context: [],
  from: { parent: null, requester: 'user:ada' },
  source: 'orchestrator two',
  orchestrator: 'two',
  modifier: 'full',
  stages,
  judges: {},
  levels: 2,
});

const done = (more: Partial<CallEnd> = {}): CallEnd => ({
  outcome: 'SUCCESS',
  failure: null,
  sessionId: 's1',
  summary: 'said',
  artifacts: ['docs/a.md'],
  answer: null,
  rescue: null,
  refinement: null,
  ...more,
});

const ended = (name: string, end: CallEnd): StageEnd => ({
  at: 'ended',
  name,
  end,
  digest: `digest of ${name}`,
});
const failed = (
  outcome: 'FAILURE' | 'DEPTH_EXCEEDED' | 'NEEDS_REFINEMENT',
  refinement: string | null = null,
) => done({ outcome, failure: failure('gate', 'it is broken', { outcome }), artifacts: [], refinement });

test('a stage begins after success, and after an optional failure that may be absorbed', () => {
  expect(allowsNext(ended('a', done()), true)).toBe(true);
  expect(allowsNext(ended('a', failed('FAILURE')), true)).toBe(false);
  expect(allowsNext(ended('a', failed('FAILURE')), false)).toBe(true);
  expect(allowsNext(ended('a', failed('DEPTH_EXCEEDED')), false)).toBe(false);
  expect(allowsNext({ at: 'not-run', name: 'a', because: 'b' }, false)).toBe(false);
});

test('stages that wait for each other, even through others, are not at work at the same time', () => {
  const stages = [stage('a', []), stage('b', ['a']), stage('c', ['b']), stage('d', ['a'])];
  const beside = listScopesBeside({ stages, cwd: 'web' });
  expect([...beside].map(([name, scopes]) => [name, scopes.length])).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 1],
    ['d', 2],
  ]);
  expect(beside.get('b')).toEqual([{ cwd: 'web', writes: null }]);
});

test('a stage without a level of sessions ends as it says', () => {
  expect(['abort', 'compress', 'escalate'].map((onDepth) => depthOutcome({ onDepth } as StageCall))).toEqual([
    'DEPTH_EXCEEDED',
    'DEPTH_EXCEEDED',
    'NEEDS_ESCALATION',
  ]);
});

test('with one level left the stages from the first that asks for it share one turn', () => {
  const shared = { compressible: true } as const;
  const strong = {
    ...call('C', { writes: ['c/**'], gates: [{ kind: 'diff' }] }),
    agent: { ...agent, tier: 'high' } as const,
  };
  const stages = [
    stage('a', []),
    stage('b', ['a'], {
      ...shared,
      onDepth: 'compress',
      inputs: ['a'],
      call: call('B', { writes: ['b/**'] }),
    }),
    stage('c', ['b'], { ...shared, inputs: ['a', 'b'], required: false, call: strong }),
  ];
  const merged = compressStages(stages, 1);
  expect(merged.shared).toEqual(['b', 'c']);
  expect(merged.stages.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(merged.stages[1]).toMatchObject({
    needs: ['a'],
    inputs: ['a'],
    required: true,
    call: {
      action: 'B',
      also: [{ executor: 'spec', action: 'C', args: ['a.md'] }],
      agent: { tier: 'high', systemPrompt: 'x' },
      rules: { writes: ['b/**', 'c/**'], gates: [{ kind: 'diff' }], timeoutMs: 2000 },
    },
  });
  const whole = stages.map((each) => (each.name === 'c' ? { ...each, call: call('C') } : each));
  expect(compressStages(whole, 1).stages[1]?.call.rules.writes).toBeNull();
});

test('stages are not shared with more levels, with a stage that may not, alone, or out of order', () => {
  const shared = { compressible: true } as const;
  const b = stage('b', [], { ...shared, onDepth: 'compress' });
  const rows: readonly (readonly [readonly StageCall[], number])[] = [
    [[b, stage('c', ['b'], shared)], 2],
    [[b, stage('c', ['b'])], 1],
    [[stage('a', []), b], 1],
    [[stage('a', ['c']), b, stage('c', [], shared)], 1],
    [[stage('a', []), stage('c', ['a'])], 1],
  ];
  for (const [stages, levels] of rows) expect(compressStages(stages, levels)).toEqual({ stages, shared: [] });
});

test('a stage receives status, paths and a bounded summary of its inputs, and stands on what it needs', () => {
  const ends = new Map<string, StageEnd>([
    ['a', ended('a', done({ summary: 'x'.repeat(3000) }))],
    ['b', ended('b', failed('FAILURE'))],
    ['c', { at: 'not-run', name: 'c', because: 'b' }],
  ]);
  const { identity, blocks } = receive({ needs: ['b', 'a'], inputs: ['a', 'b', 'c'] }, ends);
  expect(identity).toEqual({ a: 'digest of a', b: 'digest of b', c: 'not-run' });
  const [first = '', second = '', third = ''] = blocks;
  expect(first).toContain('Status: SUCCESS\n\nFiles:\n- docs/a.md\n\nSummary:');
  expect(first.match(/x/g)).toHaveLength(2000);
  expect(second).toContain('Status: FAILURE: it is broken\n\nSummary:');
  expect(third).toContain('Status: not run');
  const silent = receive({ needs: [], inputs: ['a'] }, new Map([['a', ended('a', done({ summary: ' ' }))]]));
  expect(silent.blocks[0]).not.toContain('Summary');
});

test('the value has the manifest, why it failed, and a request for a resolution', () => {
  const stages = [stage('a', []), stage('b', ['a']), stage('c', ['b'])];
  const ends = [
    ended('a', done()),
    ended('b', failed('NEEDS_REFINEMENT', '# Request of b')),
    { at: 'not-run', name: 'c', because: 'b' },
  ] as const;
  const value = endStages(input(stages), ends);
  expect(value).toMatchObject({
    outcome: 'NEEDS_REFINEMENT',
    failure: { message: 'b: it is broken; did not run: c' },
    manifest: { summary: { total: 3, passed: 1, failed: 1, exit_code: 10 } },
  });
  expect(value.refinement).toContain('# Refinement Request');
  const names = listRunFiles(value).map(([name]) => name);
  expect(names).toEqual(['manifest.json', 'refinements/exec-two-b.md', 'refinements/orch-two.md']);
  const json = JSON.parse(JSON.stringify(value)) as never;
  expect([...outlines.compose.stepEnds(json)]).toEqual([
    ['two.a', 'succeeded'],
    ['two.b', 'failed'],
    ['two.c', 'blocked'],
  ]);
  expect([...outlines.compose.whyEnded(json)]).toEqual([
    ['two.b', 'it is broken'],
    ['two.c', 'needs b'],
  ]);
  expect(outlines.compose.whyEnded(null).size).toBe(0);
  expect(outlines.compose.signal(null)).toBeNull();
  expect(outlines.compose.signal({ layer: 'primitive' })).toBeNull();
  expect(outlines.compose.whyEnded({ layer: 'primitive' }).size).toBe(0);
  expect(outlines.compose.signal(json)).toEqual({
    layer: 'orch',
    name: 'two',
    status: 'needs-refinement',
    path: 'manifest.json',
  });
});

test('an optional failure leaves no request of the whole, and success nothing but the manifest', () => {
  const stages = [stage('a', []), stage('b', ['a'], { required: false })];
  const partial = endStages(input(stages), [ended('a', done()), ended('b', failed('FAILURE', '# Same'))]);
  expect(partial).toMatchObject({ outcome: 'PARTIAL_SUCCESS', refinement: null });
  expect(partial.failure?.message).toBe('b (optional): it is broken');
  const shared = {
    ...partial,
    stages: [ended('a', failed('FAILURE', '# Same')), ...partial.stages.slice(1)],
  };
  expect(listRunFiles(shared)).toHaveLength(2);
  const good = endStages(input([stage('a', [])]), [ended('a', done({ artifacts: [] }))]);
  expect(good).toMatchObject({ outcome: 'SUCCESS', failure: null, refinement: null });
  expect(listRunFiles(good).map(([name]) => name)).toEqual(['manifest.json']);
  // A stage whose end no process has recorded is left out.
  expect(endStages(input(stages), [ended('a', done())]).manifest.stages).toHaveLength(1);
  const mute = endStages(input([stage('a', []), stage('b', ['a'])]), [
    ended('a', done({ artifacts: [] })),
    ended('b', failed('FAILURE')),
  ]);
  expect(mute.refinement).toContain('- Artifact: none');
  const bare = ended('a', { ...done(), outcome: 'FAILURE' });
  expect(endStages(input([stage('a', [])]), [bare]).failure?.message).toBe('a: FAILURE');
});

test('each stage is a step with the path of its orchestrator, and shows what it would do', () => {
  const called = input([
    stage('a', []),
    stage('b', ['a'], { call: call('B', { gates: [{ kind: 'command', argv: ['make'], timeoutMs: 1 }] }) }),
  ]);
  expect([...identifySteps(called).keys()]).toEqual(['two.a', 'two.b']);
  expect(outlines.compose.outline(JSON.parse(JSON.stringify(called)) as never)).toEqual([
    { id: 'two.a', needs: [], proof: 'verdict' },
    { id: 'two.b', needs: ['two.a'], proof: 'verdict' },
  ]);
  const members = composeMembers(called);
  expect(members.filter(({ name }) => name === 'prompt')).toHaveLength(2);
  expect(members).toContainEqual({ name: 'gate', value: ['make'] });
  expect(members.filter(({ name }) => name === 'agent spec (prompt)')).toHaveLength(1);
});

test('signals tell success, a request and failure apart', () => {
  expect((['SUCCESS', 'PARTIAL_SUCCESS', 'NEEDS_ESCALATION', 'TIMEOUT'] as const).map(signalStatus)).toEqual([
    'success',
    'success',
    'needs-refinement',
    'fail',
  ]);
});
