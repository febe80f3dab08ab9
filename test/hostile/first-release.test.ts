import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../rig/attempt-rig.ts';
import { buildFirstRelease, firstReleaseProblem } from '../rig/first-release.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { type Clone, cloned, clones } from './clones.ts';
import { Person } from './person.ts';

/* What the first release did in a clone before any person was asked, and what this program does there. */

const problem = process.env['HOSTILE'] === undefined ? 'only with HOSTILE' : firstReleaseProblem();
const built = tempFolder();
let old = '';

beforeAll(() => {
  if (problem === null) old = buildFirstRelease(built.path);
}, 600_000);
afterAll(() => {
  built[Symbol.dispose]();
});

function called(program: string, person: Person, folder: string, words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    env: person.env,
    encoding: 'utf8',
    input: '',
  });
  return { code: status, said: `${stdout}${stderr}` };
}

const session = ['session', 'create', 'coder', '../task.md'];

const cases: readonly (readonly [wrong: string, clone: string, words: readonly string[]])[] = [
  ["replaced the person's driver", 'replaces the driver claude by a command', session],
  ['took bypass permissions', 'sets bypass permissions', session],
  ['passed on a secret', 'passes a secret to all', session],
  ['took settings with hooks', 'brings settings for claude', session],
  ['used an agent of the clone', 'overrides a built-in agent', session],
  ['ran the command of a flow', 'runs a command in a flow', ['run', 'flows/x.yaml']],
  ['continued a committed run', 'commits a prepared database', ['resume', 'prepared']],
  ['started claude of a folder on PATH', 'has claude in a folder of PATH', session],
];

function named(name: string): Clone {
  const clone = clones.find((one) => one.name === name);
  if (clone === undefined) throw new Error(`there is no clone that ${name}`);
  return clone;
}

test.skipIf(problem !== null).for(cases)(
  'the first release %s: a clone that %s',
  { timeout: 300_000 },
  async ([, name, words]) => {
    const clone = named(name);
    using before = new Person();
    const there = await cloned(before, clone);
    called(old, before, there, words);
    await until('the first release starts what the clone brings', () => before.fired);

    using now = new Person();
    const here = await cloned(now, clone);
    const end = called(repository('bin/tutti.js'), now, here, words);
    expect(end.code).not.toBe(0);
    expect(end.said).toMatch(/tutti trust|git tracks it|not on PATH/);
    expect(now.fired).toBe(false);
  },
);

test.skipIf(problem !== null)(
  'the first release asked a program of the clone for its version when the doctor looked',
  { timeout: 120_000 },
  async () => {
    const clone = named('runs a program beside it');
    using before = new Person();
    called(old, before, await cloned(before, clone), ['doctor']);
    expect(before.fired).toBe(true);
    using now = new Person();
    called(repository('bin/tutti.js'), now, await cloned(now, clone), ['doctor']);
    expect(now.fired).toBe(false);
  },
);

test.skipIf(problem !== null)('the first release said of such a clone that it brings nothing', async () => {
  using person = new Person();
  const folder = await cloned(person, named('sets bypass permissions'));
  expect(called(old, person, folder, ['trust', '--show']).said).toContain('brings nothing');
  expect(called(repository('bin/tutti.js'), person, folder, ['trust', '--show']).said).toMatch(
    /tutti\.yaml .*permission mode bypass/,
  );
  expect(person.fired).toBe(false);
});
