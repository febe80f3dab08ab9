import { expect, test } from 'vitest';
import type { Json } from '../lib/json.ts';
import { outlines, outlinesByName } from './outline.ts';

const ids = (steps: readonly { readonly id: string }[]) => steps.map(({ id }) => id);

test('the outline of a flow names its steps, and only a plain command proves itself', () => {
  const command = { kind: 'command' };
  const steps = [
    { id: 'a', needs: [], work: command, gates: [] },
    { id: 'b', needs: ['a'], work: command, gates: [{}] },
    { id: 'c', needs: ['a'], work: { kind: 'agent' }, gates: [] },
  ];
  expect(outlines.flow.outline({ flow: { steps } })).toEqual([
    { id: 'a', needs: [], proof: 'any' },
    { id: 'b', needs: ['a'], proof: 'verdict' },
    { id: 'c', needs: ['a'], proof: 'verdict' },
  ]);
});

test('a flow tells how its steps ended, and nothing before it has a value', () => {
  const steps = [
    { id: 'a', at: 'succeeded' },
    { id: 'b', at: 'failed' },
    { id: 'c', at: 'skipped' },
  ];
  expect([...outlines.flow.stepEnds({ steps })]).toEqual([
    ['a', 'succeeded'],
    ['b', 'failed'],
    ['c', 'blocked'],
  ]);
  expect(outlines.flow.stepEnds(null).size).toBe(0);
});

test('the outline of an execution names its tasks with everything that they wait for', () => {
  const task = { id: 'T002', name: 'second', dependencies: { tasks: ['T001'] }, estimate_hours: 1 };
  const tasks = [{ task, after: ['T001', 'T000'] }];
  expect(outlines.execute.outline({ tasks })).toEqual([
    { id: 'T002', needs: ['T001', 'T000'], name: 'second', proof: 'verdict' },
  ]);
});

test('an execution tells how its tasks ended, and nothing before it has a value', () => {
  const tasks = ['done', 'left', 'failed', 'blocked', 'skipped'].map((at) => ({ id: at, at }));
  expect([...outlines.execute.stepEnds({ tasks })]).toEqual([
    ['done', 'succeeded'],
    ['left', 'left'],
    ['failed', 'failed'],
    ['blocked', 'blocked'],
    ['skipped', 'skipped'],
  ]);
  expect(outlines.execute.stepEnds(null).size).toBe(0);
});

test('a planning run has its steps one after another', () => {
  const steps = outlines.plan.outline();
  expect(steps.map(({ needs }) => needs)).toEqual([
    [],
    ...ids(steps)
      .slice(0, -1)
      .map((id) => [id]),
  ]);
});

test('a planning run that failed succeeded before that step and did not begin those after it', () => {
  const ends = outlines.plan.stepEnds({ at: 'failed', step: 'physical' });
  expect([...ends.values()]).toEqual([
    'succeeded',
    'succeeded',
    'failed',
    'blocked',
    'blocked',
    'blocked',
    'blocked',
  ]);
  const last = (at: string) => [...outlines.plan.stepEnds({ at }).values()].at(-1);
  expect([last('planned'), last('refused')]).toEqual(['succeeded', 'failed']);
  expect(outlines.plan.stepEnds(null).size).toBe(0);
});

test('a spawn is one step, which ends as its run does', () => {
  expect(outlines.compose.outline({ layer: 'primitive' })).toEqual([
    { id: 'spawn', needs: [], proof: 'any' },
  ]);
  expect([...outlines.compose.stepEnds({ layer: 'primitive', outcome: 'SUCCESS' })]).toEqual([
    ['spawn', 'succeeded'],
  ]);
  expect([...outlines.compose.stepEnds({ layer: 'primitive', outcome: 'TIMEOUT' })]).toEqual([
    ['spawn', 'failed'],
  ]);
  expect(outlines.compose.stepEnds(null).size).toBe(0);
});

test('a call of an executor is one step, and leaves its request for a resolution in a file', () => {
  expect(outlines.compose.outline({ layer: 'executor', call: { executor: 'spec' } })).toEqual([
    { id: 'spec', needs: [], proof: 'verdict' },
  ]);
  const value = { layer: 'executor', step: 'spec', outcome: 'NEEDS_REFINEMENT', refinement: '# Request' };
  expect([...outlines.compose.stepEnds(value)]).toEqual([['spec', 'failed']]);
  expect([...outlines.compose.files(value)]).toEqual([['refinements/exec-spec.md', '# Request']]);
  expect(outlines.compose.files({ ...value, refinement: null }).size).toBe(0);
  expect(outlines.compose.files({ layer: 'primitive' }).size).toBe(0);
  expect(outlines.compose.files(null).size).toBe(0);
});

test('every family is found by its name', () => {
  expect([...outlinesByName.keys()].toSorted()).toEqual(['compose', 'execute', 'flow', 'plan', 'session']);
});

test('a planning that ended says why at the step where it ended', () => {
  const why = (value: Json): readonly (readonly [string, string])[] => [
    ...(outlines.plan.whyEnded?.(value) ?? []),
  ];
  expect(why(null)).toEqual([]);
  expect(why({ at: 'planned' })).toEqual([]);
  expect(why({ at: 'failed', step: 'logical', failure: { message: 'no map' } })).toEqual([
    ['logical', 'no map'],
  ]);
  expect(why({ at: 'refused', by: 'user:ada', reason: '' })).toEqual([['approval', 'refused by user:ada']]);
  expect(why({ at: 'refused', by: 'user:ada', reason: 'too large' })).toEqual([
    ['approval', 'refused by user:ada: too large'],
  ]);
});
