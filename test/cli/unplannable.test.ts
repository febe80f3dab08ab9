import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Finding } from '../../src/app/doctor/finding.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { git } from '../workspaces/rig.ts';
import { Desk, spec } from './desk.ts';
import { write } from './project.ts';
import { cli, type CliOptions } from './rig.ts';

/** A folder with a specification, in which an agent CLI is found. */
function machine(
  root: string,
  files: Readonly<Record<string, string>>,
  ...init: readonly string[]
): CliOptions {
  const folder = join(root, 'project');
  mkdirSync(folder);
  git(folder, 'init', '-q', ...init);
  write(root, { 'bin/codex': '#!/bin/sh\nexit 9\n' });
  chmodSync(join(root, 'bin', 'codex'), 0o755);
  write(folder, { 'SPEC.md': '# Numerals\n', 'tutti.yaml': 'driver: codex\n', ...files });
  return { folder, env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, HOME: root }, stdin: '' };
}

function commitAll(folder: string): void {
  git(folder, 'add', '-A');
  git(folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'base');
}

test.for([
  [
    'a bare repository',
    {},
    ['--bare'],
    (folder: string) => [
      `${folder} is a bare repository`,
      `work in a checkout of it: git clone ${folder} DIR`,
    ],
  ],
  [
    'a repository without a commit',
    { 'index.js': 'export {};\n' },
    [],
    (folder: string) => [
      `${folder} has no commit, and workspaces begin with what is committed`,
      `commit first: git -C ${folder} add -A && git -C ${folder} commit`,
    ],
  ],
] as const)(
  'in %s plan, doctor and init say why nothing can be planned, and what helps',
  async ([_name, files, init, expected]) => {
    using root = tempFolder();
    const here = machine(root.path, files, ...init);
    const [why = '', fix = ''] = expected(here.folder);
    const plan = await cli(here, 'plan', 'SPEC.md', '--trust');
    expect(plan).toMatchObject({ code: 69, err: expect.stringContaining(`${why}\n  → ${fix}\n`) });
    const doctor = await cli(here, 'doctor', '--json');
    const { findings } = JSON.parse(doctor.out) as { findings: readonly Finding[] };
    expect(findings.find(({ name }) => name === 'plans')).toEqual({
      name: 'plans',
      state: 'warning',
      text: `none can be made: ${why}`,
      fix,
    });
    const made = await cli(here, 'init');
    expect(made.out).toContain(`nothing can be planned here yet: ${why}\n  → ${fix}\n`);
    expect(made.out).not.toContain('tutti build');
  },
);

test('a repository without a commit is refused before its trust is asked for', async () => {
  using root = tempFolder();
  const files = { 'index.js': 'export {};\n', 'tutti.yaml': 'driver: codex\nsandbox: off\n' };
  const { stdin: _none, ...here } = machine(root.path, files);
  const plan = await cli({ ...here, terminal: [100, 30], trusts: false, typed: ['y'] }, 'plan', 'SPEC.md');
  expect(plan.code).toBe(69);
  expect(plan.err).toContain(`${here.folder} has no commit`);
  expect(plan.err).not.toContain('Trust it');
});

test('where plans can be made, the doctor says so and init recommends build', async () => {
  using root = tempFolder();
  const here = machine(root.path, { 'index.js': 'export {};\n' });
  commitAll(here.folder);
  expect((await cli(here, 'doctor')).out).toMatch(/✔ plans +can be made for /);
  expect((await cli(here, 'init')).out).toContain('→ turn a specification into code: tutti build SPEC.md\n');
});

test('build says once what is not committed and that no branch is checked out, and execute says it again', async () => {
  using desk = new Desk();
  git(desk.path, 'init', '-q');
  commitAll(desk.path);
  git(desk.path, 'checkout', '-q', '--detach');
  writeFileSync(join(desk.path, 'notes.txt'), 'mine\n');
  const told = [
    'not committed: notes.txt; tasks work without it',
    `${desk.path} is on no branch, and finished`,
  ];
  const built = await desk.type('build', spec, '--new', '--yes', '--max-launches', '5');
  for (const line of told) expect(built.err.split(line)).toHaveLength(2);
  expect(built.err).toContain(`; make one: git -C ${desk.path} switch -c NAME\n`);
  const executed = await desk.type('execute');
  for (const line of told) expect(executed.err.split(line)).toHaveLength(2);
  const doctor = await desk.type('doctor');
  expect(doctor.out).toContain(`none can be landed: ${desk.path} is on no branch`);
});
