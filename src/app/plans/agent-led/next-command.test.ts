import { expect, test } from 'vitest';
import { blankPlan, type PlanRecord } from '../../../model/plan/plan-record.ts';
import { takeEditsCommand } from '../../../model/plan/take-edits.ts';
import { type ConductingRun, nextCommand, type NextFacts } from './next-command.ts';

const blank = blankPlan({ name: 'p', targetDir: '/t', projectType: 'new', stack: null, at: 1 });
const ready: PlanRecord = { ...blank, phase: 'ready', checked: { tasks: 't1' } };
const board = { ready: [], running: [], failed: [], skipped: [], done: [], waiting: [], blocked: new Map() };
const planning: ConductingRun = { id: 'p-plan', isOver: true, held: false, asks: false };
const idle: NextFacts = {
  board,
  parked: [],
  halted: false,
  isChanged: false,
  isGone: false,
  isDelivered: false,
  runs: [planning],
};

test('a complete plan is landed, and once that is done nothing is left', () => {
  const complete: PlanRecord = { ...ready, phase: 'complete' };
  expect(nextCommand(complete, idle)).toBe('tutti land --plan p');
  expect(nextCommand(complete, { ...idle, isDelivered: true })).toBeNull();
  expect(nextCommand(complete, { ...idle, isDelivered: true, isChanged: true })).toBe('tutti plan --plan p');
});

test('a refused plan is approved before it is resumed, executed or landed', () => {
  const refusal = { said: 'refused', reason: null, tasks: 't1', by: 'user:ada', at: 2 } as const;
  for (const phase of ['ready', 'executing', 'complete'] as const) {
    const refused: PlanRecord = { ...ready, phase, approval: refusal };
    expect(nextCommand(refused, idle), phase).toBe('tutti plan approve --plan p');
    expect(nextCommand(refused, { ...idle, halted: true }), phase).toBe('tutti plan approve --plan p');
    const approved: PlanRecord = { ...refused, approval: { ...refusal, said: 'approved' } };
    expect(nextCommand(approved, { ...idle, halted: true }), phase).toBe('tutti resume p');
  }
});

test('edited task files are verified and shown before they are approved', () => {
  const asking = { ...idle, runs: [{ ...planning, isOver: false, asks: true }] };
  expect(nextCommand(ready, asking)).toBe('tutti plan approve --plan p');
  expect(nextCommand(ready, { ...asking, isChanged: true })).toBe('tutti plan edit --taken --plan p');
  expect(nextCommand(ready, { ...idle, isChanged: true })).toBe('tutti plan --plan p');
  expect(nextCommand(ready, { ...idle, runs: [], isChanged: true })).toBe('tutti plan load-tasks --plan p');
});

test('every state of edited task files has one command', () => {
  const asking = { ...planning, isOver: false, asks: true };
  expect(takeEditsCommand('p', [])).toBe('tutti plan load-tasks --plan p');
  expect(takeEditsCommand('p', [asking])).toBe('tutti plan edit --taken --plan p');
  expect(takeEditsCommand('p', [{ ...asking, editQuestion: 'Q3' }])).toBe('tutti answer Q3 edited');
  expect(takeEditsCommand('p', [planning])).toBe('tutti plan --plan p');
  const defining: PlanRecord = { ...blank, phase: 'definition' };
  const facts = { ...idle, runs: [{ ...asking, editQuestion: 'Q3' }] };
  expect(nextCommand(defining, { ...facts, isChanged: true })).toBe('tutti answer Q3 edited');
  expect(nextCommand(defining, facts)).toBe('tutti inbox');
});

test('an approved plan is executed next, also while its planning run has not ended yet', () => {
  const approval = { said: 'approved', reason: null, tasks: 't1', by: 'user:ada', at: 2 } as const;
  const approved: PlanRecord = { ...ready, approval };
  for (const held of [true, false]) {
    const facts = { ...idle, runs: [{ ...planning, isOver: false, held }] };
    expect(nextCommand(approved, facts), String(held)).toBe('tutti execute --plan p');
    expect(nextCommand({ ...ready, phase: 'definition' }, facts)).not.toContain('execute');
  }
});

test('while a process advances the planning it is watched, and without one planning is continued', () => {
  const defining: PlanRecord = { ...blank, phase: 'definition' };
  const run = { ...planning, isOver: false };
  expect(nextCommand(defining, { ...idle, runs: [{ ...run, held: true }] })).toBe('tutti status p-plan');
  expect(nextCommand(defining, { ...idle, runs: [run] })).toBe('tutti plan --plan p');
});

test('files that are gone and kept are restored before anything else, also where they seem changed', () => {
  expect(nextCommand(ready, { ...idle, isGone: true, isChanged: true })).toBe('tutti recover');
});

test('a run that ended at a ceiling is continued with the option that raises it', () => {
  const approval = { said: 'approved', reason: null, tasks: 't1', by: 'user:ada', at: 2 } as const;
  const executing: PlanRecord = { ...ready, phase: 'executing', approval };
  const ended: ConductingRun = { ...planning, id: 'p-execute', raise: '--max-launches' };
  const facts = { ...idle, board: { ...board, failed: ['T001'] } };
  expect(nextCommand(executing, { ...facts, runs: [ended] })).toBe('tutti execute --plan p --max-launches N');
  expect(nextCommand(executing, facts)).toBe('tutti execute --plan p');
  const logical: PlanRecord = { ...ready, phase: 'logical' };
  expect(nextCommand(logical, { ...idle, runs: [{ ...planning, raise: '--max-cost' }] })).toBe(
    'tutti plan --plan p --max-cost N',
  );
});
