import { expect, test } from 'vitest';
import { openGroup, removeGroup } from '../../src/lib/process/cgroup.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { needProgram } from '../rig/need-program.ts';
import { repository } from '../rig/repository.ts';
import { testSeed } from '../rig/test-seed.ts';
import { Forgery, type ForgeryOptions } from './forgery.ts';
import { type Fate, type Way, ways } from './ways.ts';

/** Whether sessions have control groups on this machine. */
const hasGroups = (() => {
  const none = { memoryBytes: null, processes: null, cpuPercent: null };
  const { dirs } = openGroup(`forged-people-${process.pid}`, none);
  for (const dir of dirs) removeGroup(dir);
  return dirs.length > 0;
})();

/** With PEOPLE=all each way, with PEOPLE=many a third of them, chosen by the commit; otherwise three. */
const sample = new Set([
  'the plain command',
  'through a double fork with an empty environment',
  '--yes for a plan',
]);
const tried = ways.filter(({ name }, index) => {
  if (process.env['PEOPLE'] === 'all') return true;
  return process.env['PEOPLE'] === 'many' ? (index + testSeed) % 3 === 0 : sample.has(name);
});

/** Tries each way in a session of its own, on a machine that has what the way needs. */
function tryEach(condition: string, options: ForgeryOptions, expected: (way: Way) => Fate): void {
  for (const way of tried) {
    test(`${condition}: ${way.name}`, { timeout: hangLimitMs }, async (context) => {
      if (way.needs !== undefined) needProgram(context, way.needs);
      await using forgery = new Forgery(options);
      const { fate, said } = await forgery.attempt(way);
      expect(fate, said).toBe(expected(way));
    });
  }
}

test('of 34 ways to decide at least 29 are refused with control groups and 25 without', () => {
  // Two more, tools of the real claude and codex, are in test/real/only-people.real.ts.
  const count = (fate: 'grouped' | 'ungrouped'): number =>
    ways.filter((way) => way[fate] === 'refused').length + 2;
  expect([ways.length + 2, count('grouped'), count('ungrouped')]).toEqual([34, 29, 25]);
});

if (hasGroups) tryEach('with control groups', {}, ({ grouped }) => grouped);
tryEach('without control groups', { ungrouped: true }, ({ ungrouped }) => ungrouped);
tryEach(
  'control with the rule removed',
  { program: repository('test/people/tutti-without-rule.ts') },
  ({ pointless }) => (pointless === true ? 'refused' : 'decided'),
);

tryEach('a person', { byPerson: true }, ({ pointless, byNobody, grouped, ungrouped }) => {
  if (byNobody === true) return hasGroups ? grouped : ungrouped;
  return pointless === true ? 'refused' : 'decided';
});

const [plain] = ways;

test('a decision that the person delegated is made by an agent, and recorded with both names', {
  timeout: hangLimitMs,
}, async () => {
  if (plain === undefined) throw new Error('there is no way');
  const program = repository('test/people/tutti-with-home.ts');
  await using delegated = new Forgery({ program, configuration: 'delegate: {answer: agents}' });
  const { fate, decidedBy } = await delegated.attempt(plain);
  expect(fate).toBe('decided');
  expect(decidedBy).toEqual([expect.stringMatching(/^session:\S+-forger for user:ada$/)]);
  // Control: another decision of the same person's delegates nothing here.
  await using other = new Forgery({ program, configuration: 'delegate: {land: agents}' });
  expect(await other.attempt(plain)).toMatchObject({ fate: 'refused', decidedBy: [] });
});
