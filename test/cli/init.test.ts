import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { targetTree } from '../../src/app/discovery/target-tree.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { contentsOf } from './project.ts';
import { cli, type CliOptions, ctrlC } from './rig.ts';

/** A folder for a project, on a machine where only these agent CLIs are installed. */
function machine(root: string, clis: readonly string[]): CliOptions {
  const [bin, folder] = [join(root, 'bin'), join(root, 'project')];
  for (const path of [bin, folder]) mkdirSync(path);
  for (const name of clis) writeFileSync(join(bin, name), '#!/bin/sh\nexit 9\n', { mode: 0o755 });
  return { folder, env: { PATH: bin, HOME: root }, stdin: '' };
}

function configIn({ folder }: CliOptions): string {
  return readFileSync(join(folder, 'tutti.yaml'), 'utf8');
}

test('init writes a tutti.yaml that names the installed CLI, and nothing else', async () => {
  using root = tempFolder();
  const here = machine(root.path, ['codex']);
  const end = await cli(here, 'init');
  expect(end).toMatchObject({ err: '', code: 0 });
  expect(end.out).toContain(`wrote ${join(here.folder, 'tutti.yaml')}\nagents run with codex\n`);
  expect(end.out).toContain('→ check that agents can work here, with one small turn: tutti doctor --try\n');
  expect(contentsOf(here.folder)).toEqual([expect.stringContaining('tutti.yaml')]);
  expect(parse(configIn(here))).toEqual({ driver: 'codex' });
  for (const other of ['claude', 'gemini', 'opencode'])
    expect(configIn(here)).toContain(`# driver: ${other}\n`);
});

test('init without a terminal uses the first CLI found and says which others exist', async () => {
  using root = tempFolder();
  const here = machine(root.path, ['gemini', 'claude']);
  const { out } = await cli(here, 'init');
  expect(out).toContain('agents run with claude (also found: gemini; choose with --driver)\n');
  expect(configIn(here)).toMatch(/^driver: claude\n# driver: gemini\n# driver: codex\n# driver: opencode$/m);
});

test.for([
  ['2', 'gemini'],
  ['opencode', 'opencode'],
  ['', 'claude'],
])('init on a terminal asks which CLI to use, and %j means %s', async ([typed, driver]) => {
  using root = tempFolder();
  const { stdin: _none, ...rest } = machine(root.path, ['gemini', 'claude']);
  const here = { ...rest, typed: ['9', 'nonsense', typed ?? ''] };
  const { err, code } = await cli(here, 'init');
  expect(code).toBe(0);
  expect(err).toContain('Which agent CLI should this project use?\n  1  claude\n  2  gemini\n');
  expect(err).toContain("'nonsense' is none of these\n");
  expect(parse(configIn(here))).toEqual({ driver });
});

test('Ctrl-C at the question which CLI to use writes nothing', async () => {
  using root = tempFolder();
  const { stdin: _none, ...rest } = machine(root.path, ['gemini', 'claude']);
  const here: CliOptions = { ...rest, typed: ['nonsense', ctrlC] };
  const { err, code } = await cli(here, 'init');
  expect(code).toBe(20);
  expect(err).toMatch(
    /\ntutti: no agent CLI was chosen, and nothing is written\n {2}→ choose one: tutti init --driver claude\n$/,
  );
  expect(existsSync(join(here.folder, 'tutti.yaml'))).toBe(false);
});

test('init --driver accepts a CLI that is not installed yet and prints how to install it', async () => {
  using root = tempFolder();
  const here = machine(root.path, []);
  const { out, code } = await cli(here, 'init', '--driver', 'codex');
  expect(code).toBe(0);
  expect(out).toContain('codex is not on PATH yet\n  → install it: npm install -g @openai/codex\n');
});

test('init refuses an unknown driver, a machine without any CLI, and a file in the way', async () => {
  using root = tempFolder();
  const here = machine(root.path, []);
  expect(await cli(here, 'init', '--driver', 'cladue')).toMatchObject({
    code: 64,
    err: expect.stringMatching(
      /one of claude, codex, gemini, opencode, not 'cladue'\n {2}→ tutti init --driver claude\n$/,
    ),
  });
  expect(await cli(here, 'init')).toMatchObject({
    code: 69,
    err: expect.stringMatching(/none of the agent CLIs .* is on PATH\n {2}→ install one \(npm install/),
  });
  writeFileSync(join(here.folder, 'file'), '');
  expect(await cli(here, 'init', 'file', '--driver', 'claude')).toMatchObject({ out: '', code: 69 });
  expect(contentsOf(here.folder)).toEqual([expect.stringContaining('file')]);
});

test('init keeps an existing tutti.yaml', async () => {
  using root = tempFolder();
  const here = machine(root.path, ['claude']);
  writeFileSync(join(here.folder, 'tutti.yaml'), 'max_sessions: 3\n');
  const { out } = await cli(here, 'init', '--json');
  expect(JSON.parse(out)).toMatchObject({ made: [], kept: ['tutti.yaml'], found: ['claude'] });
  expect(configIn(here)).toBe('max_sessions: 3\n');
});

test('init --demo needs the name of a folder and plays its own cassette', async () => {
  using root = tempFolder();
  const here = machine(root.path, ['claude']);
  expect((await cli(here, 'init', '--demo')).err).toMatch(
    /needs the name of a folder[^\n]*\n {2}→ name one: tutti init --demo/,
  );
  expect((await cli(here, 'init', '--demo', 'x', '--driver', 'claude')).code).toBe(64);
  expect(contentsOf(here.folder)).toEqual([]);
});

test('discovery ignores the demo and sees the same files without its tutti.yaml', async () => {
  using root = tempFolder();
  const here = machine(root.path, ['claude']);
  writeFileSync(join(here.folder, 'own.js'), '');
  await cli(here, 'init', '--demo', 'demo');
  expect(targetTree(here.folder, 3, 100).entries).toEqual(['own.js']);
  mkdirSync(join(here.folder, 'agents'));
  writeFileSync(join(here.folder, 'agents', 'x.md'), '');
  expect(targetTree(here.folder, 3, 100).entries).toContain('agents/x.md');
});

test('init proposes the setup that lock files suggest', async () => {
  using root = tempFolder();
  const here = machine(root.path, ['claude']);
  writeFileSync(join(here.folder, 'package.json'), '{"name":"x"}');
  writeFileSync(join(here.folder, 'package-lock.json'), '{}');
  await cli(here, 'init');
  expect(parse(configIn(here))).toEqual({ driver: 'claude', workspace: { setup: [['npm', 'ci']] } });
});

test('a tutti.yaml that names a driver and is not trusted is not said to name none', async () => {
  using root = tempFolder();
  const here = { ...machine(root.path, ['claude']), trusts: false };
  writeFileSync(
    join(here.folder, 'tutti.yaml'),
    'driver: mine\ndrivers: { mine: { type: command, command: [sh, a.sh] } }\n',
  );
  const init = await cli(here, 'init', '--driver', 'claude');
  expect(init.code).not.toBe(0);
  expect(init.err).toContain(
    'tutti.yaml chooses a driver, which counts once it is trusted\n  → look at it, then: tutti trust\n',
  );
  const bare = { ...here, env: { ...here.env, PATH: join(root.path, 'empty') } };
  const tried = await cli(bare, 'doctor', '--try', '--no-trust');
  expect(tried.code).not.toBe(0);
  expect(tried.err).not.toContain("'none'");
});

test('init --driver over a tutti.yaml that says otherwise is refused with the line to write', async () => {
  using root = tempFolder();
  const here = machine(root.path, ['claude', 'codex']);
  const file = join(here.folder, 'tutti.yaml');
  writeFileSync(file, 'driver: claude\n');
  expect(await cli(here, 'init', '--driver', 'codex')).toMatchObject({
    out: '',
    err: expect.stringMatching(
      /tutti\.yaml exists already and chooses the driver claude; init changes no file\n {2}→ write this line into .*tutti\.yaml: driver: codex\n$/,
    ),
    code: 1,
  });
  expect(configIn(here)).toBe('driver: claude\n');
  expect(await cli(here, 'init', '--driver', 'claude')).toMatchObject({ err: '', code: 0 });
  writeFileSync(file, 'max_sessions: 3\n');
  expect(await cli(here, 'init', '--driver', 'claude')).toMatchObject({
    err: expect.stringContaining('tutti.yaml exists already and names no driver'),
    code: 1,
  });
  // Nothing is asked whose answer would be thrown away.
  const { stdin: _none, ...person } = here;
  expect(await cli({ ...person, typed: '2' }, 'init')).toMatchObject({
    out: expect.stringContaining(`kept ${join(here.folder, 'tutti.yaml')} (it already exists)\n`),
    err: '',
    code: 0,
  });
});

test('trust --show says that what init wrote is trusted, and names it beside what is not', async () => {
  using root = tempFolder();
  const here = { ...machine(root.path, ['codex']), trusts: false };
  expect(await cli(here, 'trust', '--show')).toMatchObject({ code: 1 });
  await cli(here, 'init');
  const shown = await cli(here, 'trust', '--show');
  expect(shown).toMatchObject({ code: 0, err: '' });
  expect(shown.out).toMatch(/project is trusted as it is: Tutti wrote what it brings for you\n$/);
  const told = JSON.parse((await cli(here, 'trust', '--show', '--json')).out) as object;
  expect(told).toMatchObject({
    trusted: true,
    trusted_at: null,
    surfaces: [{ path: 'tutti.yaml', change: 'same' }],
  });
  mkdirSync(join(here.folder, 'agents'));
  writeFileSync(join(here.folder, 'agents/coder.md'), 'You code.\n');
  const more = await cli(here, 'trust', '--show');
  expect(more.code).toBe(1);
  expect(more.out).toMatch(/project is not trusted, except what Tutti wrote for you: tutti\.yaml\n$/);
  // Control: what a person or an agent writes into the file later is not trusted by that.
  writeFileSync(join(here.folder, 'tutti.yaml'), 'driver: claude\n');
  expect((await cli(here, 'trust', '--show')).out).toMatch(/project is not trusted\n$/);
});

test('init below a project is refused with the folder of that project, and writes nothing', async () => {
  using root = tempFolder();
  const here = machine(root.path, ['codex']);
  await cli(here, 'init');
  const below = join(here.folder, 'packages/one');
  mkdirSync(below, { recursive: true });
  const before = contentsOf(here.folder);
  const { err, code } = await cli({ ...here, folder: below }, 'init');
  expect(code).toBe(64);
  expect(err).toContain(`${below} is already part of the project in ${here.folder}\n`);
  expect(err).toContain(
    `→ run tutti commands here as usual; the settings are in ${join(here.folder, 'tutti.yaml')}\n`,
  );
  expect(contentsOf(here.folder)).toEqual(before);
  // Control: a repository of its own belongs to no project around it.
  mkdirSync(join(below, '.git'));
  writeFileSync(join(below, '.git/HEAD'), 'ref: refs/heads/main\n');
  expect((await cli({ ...here, folder: below }, 'init')).code).toBe(0);
});

test('init in a subfolder of a repository says that only this folder is the project', async () => {
  using root = tempFolder();
  const here = machine(root.path, ['codex']);
  mkdirSync(join(here.folder, '.git'));
  writeFileSync(join(here.folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  const below = join(here.folder, 'sub');
  mkdirSync(below);
  const { out, code } = await cli({ ...here, folder: below }, 'init');
  expect(code).toBe(0);
  expect(out).toContain(
    'only this folder is the project, not the whole repository; to use its root instead: ' +
      `rm ${join(below, 'tutti.yaml')} && tutti init ${here.folder}\n`,
  );
  const again = await cli({ ...here, folder: below }, 'init');
  expect(again.out).not.toContain('only this folder');
  // Control: the root itself is the whole repository.
  const atRoot = await cli(here, 'init');
  expect([atRoot.code, atRoot.out.includes('only this folder')]).toEqual([0, false]);
});
