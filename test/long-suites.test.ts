import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { thinned } from './crash/how-many.ts';
import { repository } from './rig/repository.ts';
import {
  chooseSuites,
  countsIn,
  type LongSuite,
  longSuites,
  seedOf,
  verdictOf,
} from '../scripts/long-suites.js';

function suite(name: string, minutes: number, more: Partial<LongSuite> = {}): LongSuite {
  const extent = (size: string) => ({ argv: ['run', name], env: { SIZE: size }, minutes });
  return { name, whole: extent('whole'), sample: extent('sample'), oneOf: [], always: false, ...more };
}

const suites = [
  suite('smoke', 4, { always: true }),
  ...['a', 'b', 'c', 'd', 'e'].map((name) => suite(name, 5)),
  suite('matrix', 5, { oneOf: [['x'], ['y'], ['z']] }),
];
const namesOf = (seed: number, budgetMinutes: number | null) =>
  chooseSuites(suites, { seed, budgetMinutes }).chosen.map(({ name }) => name);

test('without a budget every suite is run whole', () => {
  const { chosen, leftOut } = chooseSuites(suites, { seed: 1, budgetMinutes: null });
  expect(chosen.map(({ name }) => name)).toEqual(suites.map(({ name }) => name));
  expect(chosen.every(({ env }) => env['SIZE'] === 'whole' && env['TEST_SEED'] === '1')).toBe(true);
  expect(leftOut).toEqual([]);
});

test('a budget is filled with samples, never exceeded, and what was left out is named', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const { chosen, leftOut } = chooseSuites(suites, { seed, budgetMinutes: 20 });
    expect(chosen.reduce((sum, { minutes }) => sum + minutes, 0)).toBe(19);
    expect([...chosen.map(({ name }) => name), ...leftOut].toSorted()).toEqual(
      suites.map(({ name }) => name).toSorted(),
    );
    expect(chosen.every(({ env }) => env['SIZE'] === 'sample')).toBe(true);
  }
  // The control: a larger budget leaves nothing out, so the budget is what decides.
  expect(chooseSuites(suites, { seed: 1, budgetMinutes: 34 }).leftOut).toEqual([]);
});

test('the sample is the same for one commit, and over many commits every suite and every word has its turn', () => {
  expect(namesOf(7, 20)).toEqual(namesOf(7, 20));
  const seeds = Array.from({ length: 100 }, (_, n) => seedOf(`${(n + 1).toString(16).padStart(7, '0')}abc`));
  const seen = seeds.flatMap((seed) => chooseSuites(suites, { seed, budgetMinutes: 20 }).chosen);
  expect(new Set(seen.map(({ name }) => name)).size).toBe(suites.length);
  const words = seen.filter(({ name }) => name === 'matrix').map(({ argv }) => argv.at(-1));
  expect(new Set(words)).toEqual(new Set(['x', 'y', 'z']));
});

test('what is always run is run even with no budget left', () => {
  expect(namesOf(3, 0)).toEqual(['smoke']);
});

test('the table has unique names, and a whole is never shorter than its sample', () => {
  expect(new Set(longSuites.map(({ name }) => name)).size).toBe(longSuites.length);
  for (const { whole, sample } of longSuites) expect(whole.minutes).toBeGreaterThanOrEqual(sample.minutes);
});

/** Test files of the real CLIs that no sample ever runs. */
function neverSampled(names: readonly string[]): readonly string[] {
  const words = longSuites
    .filter(({ sample }) => sample.argv.includes('--all'))
    .flatMap(({ sample, oneOf }) => [...sample.argv.slice(-1), ...oneOf.flatMap(([word = '']) => word)]);
  return names.filter((name) => !words.some((word) => name.includes(word)));
}

test('every test file of the real CLIs has its turn in a sample', () => {
  const files = readdirSync(repository('test/real')).filter((name) => name.endsWith('.real.ts'));
  expect(files.length).toBeGreaterThan(10);
  expect(neverSampled(files)).toEqual([]);
  // The control: a file that no word names is found.
  expect(neverSampled(['forgotten.real.ts'])).toEqual(['forgotten.real.ts']);
});

test('the last closing line of a suite counts, and without one there is nothing to count', () => {
  expect(
    countsIn('tests: 1 passed, 0 failed, 0 skipped\nx\ntests: 12 passed, 1 failed, 3 skipped\n'),
  ).toEqual({
    passed: 12,
    failed: 1,
    skipped: 3,
  });
  const real = 'real CLIs: 8 cells ok, 0 failed; 2 cells and tests not run for want of an installation\n';
  expect(countsIn(real)).toEqual({ passed: 8, failed: 0, skipped: 2 });
  expect(countsIn('nothing')).toBeNull();
});

test('a CLI that could not be installed is no failure, a cut-off suite has no verdict, any other code is a failure', () => {
  const verdicts = [0, 3, 1, null].map((status) => verdictOf({ status, cutOff: false }));
  expect(verdicts).toEqual(['passed', 'passed', 'failed', 'failed']);
  expect(verdictOf({ status: null, cutOff: true })).toBe('unfinished');
});

test('a sweep tries as many points for every seed, and over the seeds all of them', () => {
  const points = Array.from({ length: 100 }, (_, index) => index);
  const choices = Array.from({ length: 7 }, (_, seed) => thinned(points, 15, seed));
  for (const choice of choices) expect(Math.abs(choice.length - 15)).toBeLessThanOrEqual(1);
  expect(new Set(choices.flat()).size).toBe(100);
  // The control: one seed alone does not try them all.
  expect(thinned(points, 15, 3)).not.toContain(0);
});
