import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { trustRepository } from '../../src/app/trust/trust.ts';
import { findProject, pathsOf } from '../../src/app/project.ts';
import { openTutti } from '../../src/app/tutti.ts';
import { isAlive } from '../../src/lib/process/identity.ts';
import { isTerminal } from '../../src/model/session.ts';
import { cli, type CliEnd } from '../cli/rig.ts';
import { until } from '../rig/attempt-rig.ts';
import { testSeed } from '../rig/test-seed.ts';
import { trustProject } from '../rig/trust.ts';
import type { Clone } from './clone.ts';
import { cloned, clones } from './clones.ts';
import { commands } from './commands.ts';
import { Person } from './person.ts';

/** One clone of each kind with its own command; with HOSTILE every command, in a third of the clones or in all of them. */
const asked = process.env['HOSTILE'];
const isWhole = asked !== undefined;
const cases = clones.filter(isChosen).map((clone) => [clone.name, clone] as const);

function isChosen({ kind }: Clone, at: number): boolean {
  if (asked === undefined) return clones.findIndex((one) => one.kind === kind) === at;
  return asked !== 'many' || (at + testSeed) % 3 === 0;
}

const timeout = { timeout: isWhole ? 1_200_000 : 120_000 };

test('there are at least 40 clones, and no two of one name', () => {
  expect(new Set(clones.map(({ name }) => name)).size).toBe(clones.length);
  expect(clones.length).toBeGreaterThanOrEqual(40);
});

test('every command is typed with the arguments that it needs', { timeout: 300_000 }, async () => {
  using person = new Person();
  person.commit();
  const misused = [];
  for (const words of isWhole
    ? commands
    : commands.filter(([name = '']) => ['task', 'compose'].includes(name))) {
    const { err } = await cli({ folder: person.repo, env: person.env, stdin: '' }, ...words);
    if (/is missing|there is no (?:option|command)|too many|takes? no/.test(err))
      misused.push([...words, err]);
  }
  expect(misused).toEqual([]);
});

test.for(cases)(
  'a clone that %s starts nothing of its own before a person trusts it',
  timeout,
  async ([, clone]) => {
    using person = new Person();
    const folder = await cloned(person, clone);
    for (const words of isWhole ? commands : [clone.fires, ['doctor']]) {
      for (const terminal of [undefined, [80, 24] as const]) {
        const options = { folder, env: person.env, trusts: false, typed: 'n' };
        const end = await cli(
          { ...options, ...(terminal === undefined ? { stdin: '' } : { terminal }) },
          ...words,
        );
        expect({ words, fired: person.fired, end: person.fired ? end : null }).toEqual({
          words,
          fired: false,
          end: null,
        });
      }
    }
    await settle(person, folder);
    expect(person.fired).toBe(false);
  },
);

test.for(cases)('a clone that %s has its way once a person trusts it', timeout, async ([, clone]) => {
  using person = new Person();
  const folder = await cloned(person, clone);
  const end = await fire(person, folder, clone);
  await settle(person, folder);
  expect({ fired: person.fired, end: person.fired ? null : end }).toEqual({ fired: true, end: null });
});

/** As after `tutti trust` and `tutti trust --state`, both answered with yes; what git tracks is taken out of it first. */
async function fire(person: Person, folder: string, { fires }: Clone): Promise<CliEnd> {
  if (existsSync(join(folder, '.tutti')))
    person.git(folder, 'rm', '-rq', '--cached', '--ignore-unmatch', '.tutti');
  trustProject(folder, person.env);
  trustRepository(folder, person.env, new Date());
  return cli({ folder, env: person.env, stdin: '' }, ...fires);
}

/** Until every agent and conductor that was started has ended. */
async function settle(person: Person, folder: string): Promise<void> {
  if (!existsSync(pathsOf(findProject(folder)).database)) return;
  // Not as tests open a project of their own: that would trust it.
  const opened = openTutti({ folder, env: person.env, create: false, despiteConfig: true });
  if (!opened.ok) return;
  using tutti = opened.value;
  const everyone = { status: null, tags: [], parent: null, archived: false } as const;
  await until('sessions and the conductor end', async () => {
    const conductor = await tutti.queries.conductor();
    const all = await tutti.queries.sessions.list(everyone, { limit: null, before: null });
    return all.every(({ status }) => isTerminal(status)) && (conductor === null || !isAlive(conductor));
  });
}
