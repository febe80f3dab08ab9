import { expect, test } from 'vitest';
import { chooseStages, listModifiers } from './choose-stages.ts';
import type { Stage, StageSequence } from './definition.ts';

function stage(name: string, needs: readonly string[] | null = null, inputs: readonly string[] = []): Stage {
  return {
    name,
    executor: 'spec',
    args: [],
    needs,
    inputs,
    required: true,
    retryMax: 1,
    timeoutMs: 1000,
    tier: null,
    onDepth: 'abort',
    compressible: false,
  };
}

function sequence(stages: readonly Stage[], modifiers: StageSequence['modifiers'] = {}): StageSequence {
  return { mode: 'tool', stages, modifiers };
}

const needsBy = (work: StageSequence, modifier: string): unknown =>
  chooseStages(work, modifier)?.map(({ name, needs }) => [name, ...needs]);

test('a stage that names no needs follows the stage before it in the modifier', () => {
  const work = sequence([stage('a'), stage('b'), stage('c')], { lean: ['a', 'c'] });
  expect(needsBy(work, 'full')).toEqual([['a'], ['b', 'a'], ['c', 'b']]);
  expect(needsBy(work, 'lean')).toEqual([['a'], ['c', 'a']]);
  expect(listModifiers(work)).toEqual(['full', 'lean']);
});

test('a stage needs what a stage that the modifier leaves out would have needed', () => {
  const stages = [stage('a', []), stage('b', ['a']), stage('c', []), stage('d', ['b', 'c'])];
  const work = sequence(stages, { lean: ['a', 'd'], last: ['d'] });
  expect(needsBy(work, 'lean')).toEqual([['a'], ['d', 'a']]);
  expect(needsBy(work, 'last')).toEqual([['d']]);
});

test('stages that wait for each other are left out without end', () => {
  const work = sequence([stage('a', ['b']), stage('b', ['a', 'x']), stage('c', ['a'])], { only: ['c'] });
  expect(needsBy(work, 'only')).toEqual([['c']]);
});

test('inputs from stages that the modifier leaves out are dropped, and unknown stages too', () => {
  const work = sequence([stage('a'), stage('b', null, ['a'])], { b: ['b', 'x'] });
  expect(chooseStages(work, 'b')).toMatchObject([{ name: 'b', inputs: [] }]);
  expect(chooseStages(work, 'full')).toMatchObject([{}, { inputs: ['a'] }]);
});

test('a modifier that does not exist chooses nothing, and a file may redefine full', () => {
  const work = sequence([stage('a'), stage('b')], { full: ['b'] });
  expect(chooseStages(work, 'toString')).toBeNull();
  expect(chooseStages(work, 'full')).toMatchObject([{ name: 'b' }]);
  expect(listModifiers(work)).toEqual(['full']);
});
