import { expect, test } from 'vitest';
import { type BadOutcome, exitCodeOf, outcomes } from '../outcome.ts';
import { type EndedPart, isNeverAbsorbed, judgeParts, type PartEnd } from './part-summary.ts';
import { buildPhaseReport } from './phase-report.ts';
import { buildStageManifest } from './stage-manifest.ts';

const passed = (name: string, required = true): EndedPart => ({
  name,
  required,
  end: { kind: 'passed', artifact: `${name}.md` },
});

const failed = (name: string, outcome: BadOutcome, required = true): EndedPart => ({
  name,
  required,
  end: { kind: 'failed', outcome, error: `${name} failed` },
});

const notRun = (name: string, required = true): EndedPart => ({ name, required, end: { kind: 'not-run' } });

test('a manifest lists every stage and counts those that passed and failed', () => {
  expect(buildStageManifest('ospec', [passed('plan'), failed('build', 'TIMEOUT'), notRun('test')])).toEqual({
    orchestrator: 'ospec',
    stages: [
      { name: 'plan', status: 'success', exit_code: 0, artifact: 'plan.md' },
      { name: 'build', status: 'failure', exit_code: 21, error: 'build failed' },
      { name: 'test', status: 'not_run', exit_code: null },
    ],
    summary: { total: 3, passed: 1, failed: 1, exit_code: 21 },
  });
});

test('all required parts done and an optional one not is PARTIAL_SUCCESS', () => {
  expect(judgeParts([passed('a'), failed('b', 'FAILURE', false)])).toBe('PARTIAL_SUCCESS');
  expect(judgeParts([passed('a'), notRun('b', false)])).toBe('PARTIAL_SUCCESS');
  expect(judgeParts([passed('a'), passed('b', false)])).toBe('SUCCESS');
  expect(judgeParts([])).toBe('SUCCESS');
});

test('a required failure keeps its own code, and of several the gravest counts', () => {
  for (const outcome of outcomes.filter((each) => each !== 'SUCCESS')) {
    expect(judgeParts([passed('a'), failed('b', outcome), failed('c', 'FAILURE', false)])).toBe(outcome);
  }
  expect(judgeParts([failed('a', 'FAILURE'), failed('b', 'DEPTH_EXCEEDED')])).toBe('DEPTH_EXCEEDED');
});

test('no layer absorbs a depth limit, a stop or a ceiling, not even of an optional part', () => {
  expect(outcomes.filter(isNeverAbsorbed)).toEqual([
    'DEPTH_EXCEEDED',
    'INTERRUPTED',
    'BUDGET_EXCEEDED',
    'HALTED',
    'USAGE',
    'UNAVAILABLE',
  ]);
  expect(judgeParts([passed('a'), failed('b', 'DEPTH_EXCEEDED', false)])).toBe('DEPTH_EXCEEDED');
});

test('parts that did not run make the reason for it the outcome', () => {
  expect(judgeParts([passed('a'), notRun('b')], 'HALTED')).toBe('HALTED');
  expect(judgeParts([passed('a'), notRun('b')])).toBe('FAILURE');
});

test.for([
  [{ kind: 'passed', artifact: null }, 'complete', 0],
  [{ kind: 'failed', outcome: 'NEEDS_REFINEMENT', error: 'unclear' }, 'failed', 10],
] as const)('a phase report of an orchestrator that %j is %s', ([end, status, code]) => {
  const orchestrators = [{ name: 'ospec', required: true, end: end as PartEnd, manifest: 'manifest.json' }];
  const facts = { phase: 'phase-01', orchestrators, artifacts: ['a.md'], sentinelGrade: null, stopped: null };
  expect(buildPhaseReport(facts)).toEqual({
    phase: 'phase-01',
    status,
    exit_code: code,
    orchestrators: [{ name: 'ospec', manifest: 'manifest.json', exit_code: code }],
    artifacts: ['a.md'],
    sentinel_grade: null,
  });
});

test('a phase whose optional orchestrator did not run is partial', () => {
  const orchestrators = [
    { ...passed('a'), manifest: 'a.json' },
    { ...notRun('b', false), manifest: null },
  ];
  const facts = { phase: 'p', orchestrators, artifacts: [], sentinelGrade: 'WARN', stopped: null } as const;
  expect(buildPhaseReport(facts)).toMatchObject({
    status: 'partial',
    exit_code: exitCodeOf('PARTIAL_SUCCESS'),
    orchestrators: [{ exit_code: 0 }, { manifest: null, exit_code: null }],
    sentinel_grade: 'WARN',
  });
});
