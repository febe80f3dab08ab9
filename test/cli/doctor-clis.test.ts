import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isOlder } from '../../src/lib/is-older.ts';
import type { Finding } from '../../src/app/doctor/finding.ts';
import { sandboxFindings } from '../../src/app/doctor/machine.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { contentsOf, write } from './project.ts';
import { cli } from './rig.ts';

type Variables = Readonly<Record<string, string>>;

/** A machine whose only programs are those in `bin`, and a project beside them. */
async function findings(
  folder: string,
  env: Variables = {},
  scope: readonly string[] = ['--all'],
  trusts = true,
) {
  const path = `${join(folder, 'bin')}:/usr/bin:/bin`;
  mkdirSync(join(folder, 'project'), { recursive: true });
  const end = await cli(
    { folder: join(folder, 'project'), env: { PATH: path, HOME: join(folder, 'home'), ...env }, trusts },
    'doctor',
    '--json',
    ...scope,
  );
  const { findings: all } = JSON.parse(end.out) as { findings: readonly Finding[] };
  const names = all.map(({ name }) => name);
  return { ...end, names, of: (name: string) => all.find((finding) => finding.name === name) };
}

function program(folder: string, path: string, answer: string): void {
  write(folder, { [path]: `#!/bin/sh\necho '${answer}'\ntouch "$HOME/was-here"\n` });
  chmodSync(join(folder, path), 0o755);
}

test('an agent CLI that is not there is a warning with its install command, where nothing needs it', async () => {
  using folder = tempFolder();
  program(folder.path, 'bin/claude', '2.1.325 (Claude Code)');
  const { code, of } = await findings(folder.path, { ANTHROPIC_API_KEY: 'x' });
  expect(code).toBe(0);
  // Without a tutti.yaml, a project uses the CLI that is installed: not to be signed in is a failure there too.
  expect(await findings(folder.path)).toMatchObject({ code: 69 });
  expect(of('cli codex')).toEqual({
    name: 'cli codex',
    state: 'warning',
    text: 'not there; no driver uses it',
    fix: 'npm install -g @openai/codex',
  });
});

test('an agent CLI that a driver of the project needs is a failure with its install command', async () => {
  using folder = tempFolder();
  write(folder.path, { 'project/tutti.yaml': 'driver: claude\ndrivers: {claude: {type: claude}}\n' });
  const { code, of } = await findings(folder.path);
  expect(code).toBe(69);
  expect(of('driver claude')).toMatchObject({
    state: 'failure',
    fix: 'npm install -g @anthropic-ai/claude-code',
  });
});

test('version, place and the name of the key are told; its value is not, and nothing is written at home', async () => {
  using folder = tempFolder();
  program(folder.path, 'bin/claude', '2.1.325 (Claude Code)');
  mkdirSync(join(folder.path, 'project'));
  const before = contentsOf(folder.path);
  const { of, out } = await findings(folder.path, { ANTHROPIC_API_KEY: 'a-secret' });
  const at = join(folder.path, 'bin/claude');
  expect(of('cli claude')).toEqual({
    name: 'cli claude',
    state: 'ok',
    text: `2.1.325 at ${at}; ANTHROPIC_API_KEY is set`,
    fix: null,
  });
  expect(out).not.toContain('a-secret');
  expect(contentsOf(folder.path)).toEqual(before);
});

test('a key that the CLI of a driver reads is seen by its agents without a setting', async () => {
  using folder = tempFolder();
  program(folder.path, 'bin/claude', '2.1.325');
  const env = { ANTHROPIC_API_KEY: 'x' };
  const config = 'driver: mine\ndrivers: {mine: {type: claude}}\n';
  write(folder.path, { 'project/tutti.yaml': config });
  expect((await findings(folder.path, env)).of('cli claude')).toMatchObject({ state: 'ok' });
});

test('a variable that agents do not see is a failure, with the setting, or trust where the setting is there', async () => {
  using folder = tempFolder();
  program(folder.path, 'bin/codex', '0.166.0');
  const provider = 'model_provider = "own"\n[model_providers.own]\nname = "own"\nenv_key = "OWN_KEY"\n';
  write(folder.path, { 'home/.codex/config.toml': provider, 'project/tutti.yaml': 'driver: codex\n' });
  const env = { OWN_KEY: 'x' };
  const seen = await findings(folder.path, env, []);
  expect(seen.of('cli codex')).toMatchObject({
    state: 'failure',
    text: expect.stringContaining('but agents of driver codex do not see it'),
    fix: 'let it through: env: [OWN_KEY] at driver codex in tutti.yaml',
  });
  expect(seen.code).toBe(69);
  const through = 'driver: codex\ndrivers: {codex: {type: codex, env: [OWN_KEY]}}\n';
  write(folder.path, { 'project/tutti.yaml': through });
  const untrusted = await findings(folder.path, env, [], false);
  expect(untrusted.of('cli codex')).toMatchObject({ state: 'failure', fix: 'look at it: tutti trust' });
  expect((await findings(folder.path, env, [])).of('cli codex')).toMatchObject({ state: 'ok' });
});

test('a driver that an untrusted project chooses is not called missing', async () => {
  using folder = tempFolder();
  write(folder.path, {
    'project/tutti.yaml': 'driver: mine\ndrivers: {mine: {type: command, command: [my-agent]}}\n',
  });
  const { code, of } = await findings(folder.path, {}, [], false);
  expect(of('driver none')).toMatchObject({
    state: 'failure',
    text: 'tutti.yaml chooses a driver, which counts once it is trusted',
    fix: 'look at it: tutti trust',
  });
  expect(of('config')).toMatchObject({
    state: 'warning',
    text: expect.stringMatching(/tutti\.yaml is not trusted as it is: driver, drivers do not count$/),
  });
  expect(code).toBe(69);
});

test('a sign-in is seen by its file alone, which is not read', async () => {
  using folder = tempFolder();
  program(folder.path, 'bin/codex', 'codex-cli 0.166.0');
  expect((await findings(folder.path)).of('cli codex')).toMatchObject({
    state: 'failure',
    text: expect.stringContaining('no sign-in, and none of CODEX_API_KEY, OPENAI_API_KEY is set'),
    fix: 'sign in: codex login',
  });
  write(folder.path, { 'home/.codex/auth.json': 'a-secret' });
  chmodSync(join(folder.path, 'home/.codex/auth.json'), 0);
  const { of, out } = await findings(folder.path);
  expect(of('cli codex')).toMatchObject({ state: 'ok', text: expect.stringContaining('signed in') });
  expect(out).not.toContain('a-secret');
  // Where it is told to keep its things elsewhere, the sign-in at home is none.
  const elsewhere = await findings(folder.path, { CODEX_HOME: join(folder.path, 'other') });
  expect(elsewhere.of('cli codex')).toMatchObject({ state: 'failure' });
});

test.for([
  ['claude', '2.1.325', 69, 'failure'],
  ['codex', '0.166.0', 69, 'failure'],
  ['gemini', '0.61.0', 69, 'failure'],
  ['opencode', '1.18.33', 0, 'warning'],
] as const)(
  'a project that uses %s without a sign-in is not well, unless it has models that need none',
  async ([name, version, code, state]) => {
    using folder = tempFolder();
    program(folder.path, `bin/${name}`, version);
    write(folder.path, { 'project/tutti.yaml': `driver: ${name}\n` });
    const seen = await findings(folder.path, {}, []);
    expect(seen.of(`cli ${name}`)).toMatchObject({ state, text: expect.stringContaining('no sign-in') });
    expect(seen.code).toBe(code);
    const env = { PATH: `${join(folder.path, 'bin')}:/usr/bin:/bin`, HOME: join(folder.path, 'home') };
    const { out } = await cli({ folder: join(folder.path, 'project'), env }, 'doctor');
    expect(out).not.toContain('all checks passed');
    expect(out).toContain('→ sign in: ');
  },
);

test.for([
  ['answered --version with "no numbers"', 'no numbers'],
  ['was tried with 0.61.0 and newer', '0.1.2'],
] as const)('a missing sign-in is a failure also where the CLI %s', async ([doubt, answer]) => {
  using folder = tempFolder();
  program(folder.path, 'bin/gemini', answer);
  write(folder.path, { 'project/tutti.yaml': 'driver: gemini\n' });
  const without = await findings(folder.path, {}, []);
  expect(without.of('cli gemini')).toMatchObject({
    state: 'failure',
    text: expect.stringMatching(new RegExp(`${doubt}; no sign-in, and GEMINI_API_KEY is not set$`)),
    fix: 'sign in: gemini',
  });
  expect(without.code).toBe(69);
  const signedIn = await findings(folder.path, { GEMINI_API_KEY: 'x' }, []);
  expect(signedIn.of('cli gemini')).toMatchObject({
    state: 'warning',
    text: expect.stringMatching(new RegExp(`${doubt}; GEMINI_API_KEY is set$`)),
  });
  expect(signedIn.code).toBe(0);
});

test('an old version and an answer without one are told', async () => {
  using folder = tempFolder();
  program(folder.path, 'bin/claude', '1.0.9');
  program(folder.path, 'bin/codex', 'no numbers');
  program(folder.path, 'tools/my-codex', '0.200.1');
  write(folder.path, { 'home/.codex/auth.json': '' });
  const { of } = await findings(folder.path);
  expect(of('cli claude')?.text).toContain('Tutti was tried with 2.1.197 and newer');
  expect(of('cli codex')?.text).toContain('it answered --version with "no numbers"');
  write(folder.path, {
    'project/tutti.yaml': 'driver: c\ndrivers: {c: {type: codex, program: ../tools/my-codex}}\n',
  });
  expect((await findings(folder.path)).of('cli codex (c)')).toMatchObject({
    state: 'ok',
    text: expect.stringContaining('0.200.1'),
  });
});

test('versions are compared as numbers', () => {
  expect(isOlder('2.1.9', '2.1.197')).toBe(true);
  expect(isOlder('2.1.197', '2.1.197')).toBe(false);
  expect(isOlder('10.0', '2.1.197')).toBe(false);
  expect(isOlder('2.1', '2.1.197')).toBe(true);
});

test('what holds a session to its limits here is told, and which sandbox tools there are', async () => {
  using folder = tempFolder();
  program(folder.path, 'bin/srt', '1');
  const { of } = await findings(folder.path);
  expect(of('limits')?.text).toMatch(/processes: (cgroup|none), disk: launcher, tree: (cgroup|none)/);
  expect(of('sandbox srt')).toMatchObject({ state: 'ok' });
  expect(sandboxFindings('/nowhere', 'linux', null).map(({ fix }) => fix)).toEqual([
    'apt-get install bubblewrap',
    'npm install -g @anthropic-ai/sandbox-runtime',
  ]);
  expect(sandboxFindings('/nowhere', 'darwin', null).length).toBe(1);
});

test('an agent whose skill is not there is a warning', async () => {
  using folder = tempFolder();
  write(folder.path, {
    'project/tutti.yaml': '',
    'project/agents/a.md': '---\nskills: [gone]\n---\nYou.\n',
  });
  const { out } = await findings(folder.path);
  expect(out).toContain('agent a: there is no skill gone');
});

test('an agent behind a protocol is looked for under the name of its program', async () => {
  using folder = tempFolder();
  program(folder.path, 'tools/my-gemini', '0.61.2');
  write(folder.path, {
    'project/tutti.yaml':
      'driver: g\ndrivers: {g: {type: acp, preset: gemini, program: ../tools/my-gemini}, o: {type: acp, preset: opencode}, b: {type: acp, preset: codex-acp}, own: {type: acp, command: [my-agent]}}\n',
  });
  const { code, of } = await findings(folder.path, { GEMINI_API_KEY: 'x' });
  expect(code).toBe(0);
  expect(of('cli gemini (g)')?.text).toContain('0.61.2');
  expect(of('cli opencode')?.text).toBe('not there; driver o needs it');
  expect(of('driver o')).toMatchObject({ state: 'warning', fix: 'npm install -g opencode-ai' });
  expect(of('driver b')).toMatchObject({ fix: 'npm install -g @agentclientprotocol/codex-acp' });
  expect(of('driver own')).toMatchObject({ state: 'warning', fix: expect.stringContaining('tutti.yaml') });
});

test('a sandbox that the project asks for and that is not there is a failure', async () => {
  using folder = tempFolder();
  write(folder.path, { 'project/tutti.yaml': 'sandbox: strict\n', 'project/cassette.yaml': 'turns: []\n' });
  const absent = await findings(folder.path);
  expect(absent.code).toBe(69);
  expect(absent.of('sandbox')).toMatchObject({
    state: 'failure',
    text: expect.stringContaining('npm install'),
  });
  for (const name of ['srt', 'bwrap', 'socat', 'rg']) program(folder.path, `bin/${name}`, '1');
  const there = await findings(folder.path);
  expect([there.code, there.of('sandbox')?.text]).toEqual([0, 'strict']);
});

test('which sandbox auto comes to on this machine is told, with what would give a better one', () => {
  using folder = tempFolder();
  const auto = { mode: 'auto', write: [], domains: [] } as const;
  const [absent] = sandboxFindings('/nowhere', 'linux', auto);
  expect(absent).toEqual({
    name: 'sandbox',
    state: 'warning',
    text: 'auto: agent CLIs run without one, or in their own (codex): bwrap is not on PATH: apt-get install bubblewrap',
    fix: 'let bwrap hold them: tutti help sandbox',
  });
  program(folder.path, 'bwrap', 'works');
  const [there] = sandboxFindings(`${folder.path}:/usr/bin:/bin`, 'linux', auto);
  expect(there).toMatchObject({ state: 'ok', text: 'auto: agent CLIs run in sandbox workspace' });
  const [off] = sandboxFindings('/nowhere', 'linux', { ...auto, mode: 'off' });
  expect(off).toMatchObject({ state: 'ok', text: 'off' });
});

test('without --all only what the project uses is listed', async () => {
  using folder = tempFolder();
  program(folder.path, 'bin/codex', '0.166.0');
  write(folder.path, { 'project/tutti.yaml': 'driver: c\ndrivers: {c: {type: codex}}\n' });
  const { names } = await findings(folder.path, {}, []);
  expect(names).toEqual(expect.arrayContaining(['node', 'git', 'driver c', 'cli codex', 'agents', 'trust']));
  for (const unused of [
    'cli claude',
    'cli gemini',
    'tmux',
    'limits',
    'disk',
    'sandbox srt',
    'driver replay',
  ]) {
    expect(names).not.toContain(unused);
  }
  write(folder.path, { 'project/tutti.yaml': 'driver: c\nhost: tmux\ndrivers: {c: {type: codex}}\n' });
  expect((await findings(folder.path, {}, [])).names).toContain('tmux');
});

test('a program that the repository contains is not started', async () => {
  using folder = tempFolder();
  program(folder.path, 'project/tools/my-codex', '0.200.1');
  write(folder.path, {
    'project/tutti.yaml': 'driver: c\ndrivers: {c: {type: codex, program: ./tools/my-codex}}\n',
  });
  const trap = `#!/bin/sh\ntouch ${join(folder.path, 'started')}\necho 1.0.0\n`;
  write(folder.path, { 'project/tools/my-codex': trap });
  const notStarted = expect.stringContaining('is part of the project, so it was not started') as string;
  expect((await findings(folder.path)).of('cli codex (c)')).toMatchObject({
    state: 'failure',
    text: notStarted,
    fix: 'sign in: codex login',
  });
  expect((await findings(folder.path, { OPENAI_API_KEY: 'x' })).of('cli codex (c)')).toMatchObject({
    state: 'warning',
    text: notStarted,
    fix: 'see whether it works: tutti doctor --try c',
  });
  expect(contentsOf(folder.path).some((entry) => entry.includes('started'))).toBe(false);
  // Control: the same program elsewhere is started.
  write(folder.path, { 'tools/my-codex': trap });
  chmodSync(join(folder.path, 'tools/my-codex'), 0o755);
  write(folder.path, {
    'project/tutti.yaml': 'driver: c\ndrivers: {c: {type: codex, program: ../tools/my-codex}}\n',
  });
  await findings(folder.path);
  expect(contentsOf(folder.path).some((entry) => entry.includes('started'))).toBe(true);
});

test('the model of each tier is shown with the driver', async () => {
  using folder = tempFolder();
  program(folder.path, 'bin/claude', '2.1.325');
  write(folder.path, { 'project/tutti.yaml': 'driver: claude\n' });
  expect((await findings(folder.path, {}, [])).of('driver claude')?.text).toBe(
    'ready (the default); models: low haiku, medium sonnet, high opus',
  );
  // A project that names no driver is told which one was found.
  write(folder.path, { 'project/tutti.yaml': 'max_depth: 3\n' });
  expect((await findings(folder.path, {}, [])).of('driver claude')?.text).toContain(
    'ready (the default, found on PATH); models: low haiku',
  );
});
