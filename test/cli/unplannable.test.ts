import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Finding } from '../../src/app/doctor/finding.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { git } from '../workspaces/rig.ts';
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

test('where plans can be made, the doctor says so and init recommends build', async () => {
  using root = tempFolder();
  const here = machine(root.path, { 'index.js': 'export {};\n' });
  git(here.folder, 'add', '-A');
  git(here.folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'base');
  expect((await cli(here, 'doctor')).out).toMatch(/✔ plans +can be made for /);
  expect((await cli(here, 'init')).out).toContain('→ turn a specification into code: tutti build SPEC.md\n');
});
