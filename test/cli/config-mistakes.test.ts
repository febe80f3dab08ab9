import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../rig/temp-folder.ts';
import { cli, type CliEnd } from './rig.ts';

/** A project and a person with a configuration of their own; neither is valid as a rule. */
class Desk implements Disposable {
  readonly #folder = tempFolder();
  readonly home = join(this.#folder.path, 'home');
  readonly project = join(this.#folder.path, 'project');
  readonly personFile = join(this.home, '.config/tutti/config.yaml');
  readonly projectFile = join(this.project, 'tutti.yaml');

  constructor({ person, project }: { readonly person?: string; readonly project?: string }) {
    mkdirSync(join(this.home, '.config/tutti'), { recursive: true });
    mkdirSync(this.project);
    if (person !== undefined) writeFileSync(this.personFile, person);
    if (project !== undefined) writeFileSync(this.projectFile, project);
  }

  tutti(...args: readonly string[]): Promise<CliEnd> {
    return cli({ folder: this.project, env: { HOME: this.home }, stdin: '', trusts: false }, ...args);
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

test('all mistakes of tutti.yaml are reported at once', async () => {
  using desk = new Desk({ project: 'max_sessions: 0\nhost: moon\nmax_depth: deep\n' });
  expect((await desk.tutti('trust', '--yes')).code).toBe(0);
  for (const words of [['runs'], ['config'], ['inbox']]) {
    const { code, err } = await desk.tutti(...words);
    expect({ words, code }).toEqual({ words, code: 64 });
    expect(err).toMatch(/^tutti: \S+\/tutti\.yaml:1:\d+: max_sessions: .* \(and 2 more\)\n/);
    expect(err).toMatch(/\/tutti\.yaml:2:\d+: host: must be one of headless, tmux\n/);
    expect(err).toMatch(/\/tutti\.yaml:3:\d+: max_depth: /);
  }
});

test('commands that look ignore a broken tutti.yaml that is not trusted, and say so; others refuse it', async () => {
  using desk = new Desk({ project: 'max_sessions: 0\nhost: moon\n' });
  const remark =
    /^tutti\.yaml is ignored, because it is not trusted and not valid: \S+:1:\d+: max_sessions: .* \(and 1 more\); list its mistakes: tutti doctor\n/;
  for (const words of [['runs'], ['inbox'], ['status'], ['costs'], ['session', 'list']]) {
    const { code, err } = await desk.tutti(...words);
    expect([words, code, err]).toEqual([words, 0, expect.stringMatching(remark)]);
  }
  expect(await desk.tutti('runs', '--json')).toMatchObject({ code: 0, err: '' });
  // The same where no project has been made yet, and after a run and a plan.
  const more = [
    ['agents'],
    ['compose', 'list'],
    ['compose', 'lint'],
    ['session', 'audit'],
    ['session', 'watchdog'],
    ['plan', 'show'],
    ['plan', 'status'],
    ['plan', 'list'],
    ['task', 'list'],
  ];
  for (const words of more) {
    const { code, err } = await desk.tutti(...words);
    expect([words, code, err]).toEqual([words, 0, expect.stringMatching(remark)]);
  }
  expect(await desk.tutti('agents', '--json')).toMatchObject({ code: 0, err: '' });
  for (const words of [['config'], ['spawn', '--prompt', 'x']])
    expect((await desk.tutti(...words)).code).toBe(64);
});

test('commands that must work beside a mistake in tutti.yaml do not refuse it', async () => {
  using desk = new Desk({ project: 'max_sessions: 0\n' });
  const words = [
    ['stop', 'x'],
    ['session', 'kill', 'x', '--force'],
    ['allow'],
    ['recover'],
    ['trust', '--show'],
  ];
  for (const each of [...words, ['completions', 'bash'], ['help', 'flows']])
    expect((await desk.tutti(...each)).err, each.join(' ')).not.toContain('tutti.yaml:1');
  expect((await desk.tutti('doctor')).out).toMatch(
    /✕ config .*tutti\.yaml:1:\d+: max_sessions.*\n {2}→ fix the file\n/,
  );
});

test('of many mistakes five are listed and the rest is counted', async () => {
  const members = [
    'max_sessions',
    'max_depth',
    'session_timeout',
    'events_keep',
    'stall_after',
    'host',
    'env',
  ];
  using desk = new Desk({ project: members.map((name) => `${name}: {}\n`).join('') });
  const { err } = await desk.tutti('config');
  expect(err).toContain(' (and 6 more)\n');
  expect(err.match(/\/tutti\.yaml:\d+:\d+: /g)).toHaveLength(5);
  expect(err).toContain('\n  and 2 more\n');
});

test('mistakes of the person and of the project are reported together, each with its file', async () => {
  using desk = new Desk({ person: 'max_sessions: 0\n', project: 'host: moon\n' });
  const { err } = await desk.tutti('runs');
  expect(err).toContain(`tutti: ${desk.personFile}:1:15: max_sessions: `);
  expect(err).toContain(`  ${desk.projectFile}:1:7: host: `);
});

test('the doctor reports each mistake of both files, with the file and the member', async () => {
  using desk = new Desk({ person: 'max_sessions: 0\nmax_dept: 3\n', project: 'host: moon\n' });
  const { out, code } = await desk.tutti('doctor');
  expect(code).toBe(69);
  const told = out.split('\n').filter((line) => /^\S config /.test(line));
  expect(told).toHaveLength(3);
  expect(told[0]).toContain(`${desk.personFile}:1:15: max_sessions: must be a whole number`);
  expect(told[1]).toContain(`${desk.personFile}:2:1: unknown member "max_dept" (did you mean "max_depth"?)`);
  expect(told[2]).toContain(`${desk.projectFile}:1:7: host: must be one of headless, tmux`);
});

test("the doctor names the person's own configuration, which counts with and without one of the project", async () => {
  using alone = new Desk({ person: 'max_sessions: 2\n' });
  expect((await alone.tutti('doctor')).out).toMatch(
    new RegExp(`config +no tutti\\.yaml: ${alone.personFile}\n`),
  );
  using both = new Desk({ person: 'max_sessions: 2\n', project: 'max_sessions: 1\n' });
  expect((await both.tutti('doctor')).out).toContain(`${both.projectFile}, and ${both.personFile}\n`);
});

test('a mistake in tutti.yaml is reported before trust is asked for, and nothing else of the repository is listed', async () => {
  using desk = new Desk({
    project: 'max_sessions: many\ndrivers: {mine: {type: command, command: [./agent]}}\n',
  });
  mkdirSync(join(desk.project, 'agents'));
  writeFileSync(join(desk.project, 'agents/coder.md'), '---\nname: coder\n---\nYou write code.\n');
  for (const flags of [[], ['--trust'], ['--no-trust']]) {
    const { code, err } = await desk.tutti('session', 'create', 'coder', 'hello', ...flags);
    expect({ flags, code }).toEqual({ flags, code: 64 });
    expect(err).toContain(`tutti: ${desk.projectFile}:1:15: max_sessions: must be a whole number`);
    expect(err).not.toContain('agents/coder.md');
  }
  // With the mistake gone, all that is not trusted is listed.
  writeFileSync(desk.projectFile, 'drivers: {mine: {type: command, command: [./agent]}}\n');
  const { err } = await desk.tutti('session', 'create', 'coder', 'hello');
  expect(err).toContain(
    'brings what you have not trusted as it is now: tutti.yaml (drivers), agents/coder.md',
  );
});
