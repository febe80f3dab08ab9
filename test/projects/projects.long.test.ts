import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PlanContext, readPlanContext } from '../../src/app/plan-files/plan-context.ts';
import { discover } from '../../src/app/discovery/discover.ts';
import { lookAtProject } from '../../src/app/discovery/look-at-project.ts';
import { Redactor } from '../../src/lib/redact.ts';
import { proposeSetup } from '../../src/model/project/package-manager.ts';
import { hasSources } from '../../src/model/project/project-files.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { git } from '../workspaces/rig.ts';
import { FixtureProject } from './fixture-project.ts';
import { type Fixture, fixtures, standIns, writeFixture } from './fixtures.ts';

const cases = fixtures.map((fixture) => [fixture.name, fixture] as const);

test.for(cases)('discovered facts are right: %s', ([, fixture]) => {
  using folder = tempFolder();
  writeFixture(folder.path, fixture, 'green');
  const request = {
    targetDir: folder.path,
    projectType: 'existing',
    spec: '',
    testCommands: null,
    countsCommands: () => true,
  } as const;
  const { projectContext, testCommands } = discover(request, new Redactor([]));
  const project = lookAtProject(folder.path);
  expect(hasSources(project.entries)).toBe(true);
  expect(testCommands).toEqual(fixture.commands);
  expect(proposeSetup(project).map((argv) => argv.join(' '))).toEqual(
    fixture.setup === null ? [] : [fixture.setup],
  );
  if (fixture.manager !== null) expect(projectContext).toContain(`Package Manager: ${fixture.manager}`);
});

/** A fixture with stand-ins for all of its tools. */
class Fixtured extends FixtureProject {
  readonly bin: string;
  readonly #ledger: string;

  constructor(fixture: Fixture, base: 'green' | 'red') {
    let made = { bin: '', ledger: '' };
    super(fixture, base, (folder) => {
      made = standIns(join(folder, 'stand-ins'));
      return made.bin;
    });
    this.bin = made.bin;
    this.#ledger = made.ledger;
  }

  get calls(): readonly string[] {
    return readFileSync(this.#ledger, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  }
}

function contextOf({ project }: Fixtured): PlanContext | null {
  return readPlanContext(project.paths);
}

function expectedCalls({ setup, commands }: Fixture): readonly string[] {
  return [...(setup === null ? [] : [setup]), ...commands];
}

test.for(cases)('a green base is checked once, without a question: %s', async ([, fixture]) => {
  using fixtured = new Fixtured(fixture, 'green');
  const { ran } = await fixtured.plan();
  expect(fixtured.calls).toEqual(expectedCalls(fixture));
  expect(await fixtured.project.questions()).toEqual([]);
  expect(ran[0]).toBe('logical');
  await fixtured.plan();
  expect(fixtured.calls).toEqual(expectedCalls(fixture));
});

test.for(cases)('a red base is asked about before any launch: %s', async ([, fixture]) => {
  using fixtured = new Fixtured(fixture, 'red');
  expect(await fixtured.plan()).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
  const [question] = await fixtured.project.questions();
  expect(question?.question.options).toEqual(['without', 'again', 'stop']);
  expect(question?.question.text).toContain(`\`${fixture.commands[0] ?? ''}\` ended with exit code 1 after`);
  expect(await fixtured.project.answer('stop')).toMatchObject({ outcome: 'FAILURE', ran: [] });
});

const npm = fixtures[0];

test('a command that a person continues without is required of no task', async () => {
  if (npm === undefined) throw new Error('there is no fixture');
  using fixtured = new Fixtured(npm, 'red');
  await fixtured.plan();
  const { ran } = await fixtured.project.answer('without');
  expect(ran[0]).toBe('logical');
  expect((await fixtured.project.record).base?.without).toEqual(['node --test']);
  expect(fixtured.project.prompt('logical')).toContain(
    '- `node --test` need not pass: a person chose to continue without it',
  );
  expect(fixtured.project.prompt('logical')).not.toContain('`node --test` must pass afterwards');
  expect(contextOf(fixtured)).toMatchObject({
    waivedCommands: ['node --test'],
    projectContext: expect.stringContaining('\n- `node --test` need not pass'),
  });
});

test('planning again after a commit checks the new base and drops the answer about the old one', async () => {
  if (npm === undefined) throw new Error('there is no fixture');
  using fixtured = new Fixtured(npm, 'red');
  await fixtured.plan();
  await fixtured.project.answer('without');
  const old = (await fixtured.project.record).base;
  expect(old?.without).toEqual(['node --test']);
  const target = join(fixtured.project.path, 'target');
  git(target, 'rm', '-q', 'red');
  git(target, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'fix the tests');
  await fixtured.plan();
  expect((await fixtured.project.record).base?.without).toEqual([]);
  expect((await fixtured.project.record).base?.commit).not.toBe(old?.commit);
  expect(contextOf(fixtured)).toMatchObject({
    waivedCommands: [],
    projectContext: expect.stringContaining('\n- `node --test` must pass afterwards'),
  });
});

test('the answer again checks a fix that a person committed meanwhile', async () => {
  if (npm === undefined) throw new Error('there is no fixture');
  using fixtured = new Fixtured(npm, 'red');
  await fixtured.plan();
  // Not fixed yet: the same base is asked about once more.
  expect(await fixtured.project.answer('again')).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
  const target = join(fixtured.project.path, 'target');
  git(target, 'rm', '-q', 'red');
  git(target, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'fix the tests');
  const { ran } = await fixtured.project.answer('again');
  expect(ran[0]).toBe('logical');
  expect((await fixtured.project.record).base?.without).toEqual([]);
});

test('a missing program is reported by name, and run again when a person has installed it', async () => {
  const cargo = fixtures.find(({ name }) => name === 'cargo');
  if (cargo === undefined) throw new Error('there is no fixture');
  using fixtured = new Fixtured(cargo, 'green');
  const program = join(fixtured.bin, 'cargo');
  const script = readFileSync(program, 'utf8');
  // As a shell says it; the machine of the test may well have the real one.
  writeFileSync(program, '#!/bin/sh\nexit 127\n', { mode: 0o755 });
  expect(await fixtured.plan()).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
  expect((await fixtured.project.questions())[0]?.question.text).toContain(
    '`cargo fetch --locked` cannot be run (exit code 127)',
  );
  writeFileSync(program, script, { mode: 0o755 });
  const { ran } = await fixtured.project.answer('again');
  expect(ran[0]).toBe('logical');
  expect(fixtured.calls).toEqual(expectedCalls(cargo));
});
