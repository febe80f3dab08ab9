import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../rig/attempt-rig.ts';
import { buildFirstRelease, firstReleaseProblem } from '../rig/first-release.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { notInSuite, skipBecause } from '../rig/skip-because.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import type { Clone } from './clone.ts';
import { cloned, clones } from './clones.ts';
import { Person } from './person.ts';

/* What the first release did in a clone before any person was asked, and what this program does there. */

const problem = notInSuite('HOSTILE') ?? firstReleaseProblem();
skipBecause(problem);
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
    timeout: 120_000,
  });
  return { code: status, said: `${stdout}${stderr}` };
}

const session = ['session', 'create', 'coder', '../task.md'];

interface Wrong {
  readonly wrong: string;
  readonly clone: string;
  readonly words: readonly string[];
  /** What this program says; null: it works with the person's own program instead. */
  readonly now: RegExp | null;
}

const untrusted = /tutti trust/;

const cases: readonly Wrong[] = [
  {
    wrong: "replaced the person's driver",
    clone: 'replaces the driver claude by a command',
    words: session,
    now: untrusted,
  },
  { wrong: 'took bypass permissions', clone: 'sets bypass permissions', words: session, now: untrusted },
  { wrong: 'passed on a secret', clone: 'passes a secret to all', words: session, now: untrusted },
  { wrong: 'took settings with hooks', clone: 'brings settings for claude', words: session, now: untrusted },
  {
    wrong: 'played a cassette that was changed after trust',
    clone: 'changes a cassette that its tutti.yaml names',
    words: session,
    now: untrusted,
  },
  {
    wrong: 'used an agent of the clone',
    clone: 'overrides a built-in agent',
    words: session,
    now: untrusted,
  },
  {
    wrong: 'ran the command of a flow',
    clone: 'runs a command in a flow',
    words: ['run', 'flows/x.yaml'],
    now: untrusted,
  },
  {
    wrong: 'continued a committed run',
    clone: 'commits a prepared database',
    words: ['resume', 'prepared'],
    now: /git tracks it/,
  },
  {
    wrong: 'started claude of a folder on PATH',
    clone: 'has claude in a folder of PATH',
    words: session,
    now: null,
  },
];

function named(name: string): Clone {
  const clone = clones.find((one) => one.name === name);
  if (clone === undefined) throw new Error(`there is no clone that ${name}`);
  return clone;
}

/** A person with a clone. The first release knows a driver only where it is declared. */
async function victim(clone: Clone): Promise<{ readonly person: Person; readonly folder: string }> {
  const person = new Person();
  person.configures({ drivers: { claude: { type: 'claude' } } });
  return { person, folder: await cloned(person, clone) };
}

/**
 * A run that the first release itself left unfinished, since it cannot read a database of today: its command fails until
 * the clone is in the hands of its victim.
 */
const committedRun: Clone = {
  ...named('commits a prepared database'),
  make: (person) => {
    const other = join(person.place, 'other');
    const script = `test -f '${person.place}/cloned' && echo planted >> '${person.canary}'`;
    const flow = { name: 'x', steps: [{ id: 'a', command: ['sh', '-c', script] }] };
    person.write('other/x.yaml', JSON.stringify(flow));
    expect(called(old, person, other, ['run', 'x.yaml', '--run-id', 'prepared']).code).toBe(1);
    cpSync(join(other, '.tutti'), join(person.repo, '.tutti'), { recursive: true });
    rmSync(join(person.repo, '.tutti', '.gitignore'), { force: true });
    person.commit();
    person.write('cloned', '');
  },
};

test.for(cases)(
  'the first release $wrong: a clone that $clone',
  { timeout: 120_000 },
  async ({ clone, words, now }) => {
    const before = await victim(words[0] === 'resume' ? committedRun : named(clone));
    using someone = before.person;
    called(old, someone, before.folder, words);
    await until('the first release starts what the clone brings', () => someone.fired);

    const today = await victim(named(clone));
    using person = today.person;
    const end = called(installedTutti(), person, today.folder, words);
    expect(end).toEqual(
      now === null
        ? { code: 0, said: expect.stringContaining('Session created') }
        : { code: expect.not.toBeOneOf([0]), said: expect.stringMatching(now) },
    );
    expect(person.fired).toBe(false);
  },
);

test('the first release asked a program of the clone for its version when the doctor looked', {
  timeout: 120_000,
}, async () => {
  const clone = named('runs a program beside it');
  using before = new Person();
  called(old, before, await cloned(before, clone), ['doctor']);
  expect(before.fired).toBe(true);
  using now = new Person();
  called(installedTutti(), now, await cloned(now, clone), ['doctor']);
  expect(now.fired).toBe(false);
});

test('the first release said of such a clone that it brings nothing', async () => {
  using person = new Person();
  const folder = await cloned(person, named('sets bypass permissions'));
  expect(called(old, person, folder, ['trust', '--show']).said).toContain('brings nothing');
  expect(called(installedTutti(), person, folder, ['trust', '--show']).said).toMatch(
    /drivers\.claude\.permission_mode: bypass/,
  );
  expect(person.fired).toBe(false);
});
