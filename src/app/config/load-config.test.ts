import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import { type ConfigPlaces, loadConfig } from './load-config.ts';
import { userConfigPath } from './default-settings.ts';
import { everythingCounts } from '../../../test/rig/trust.ts';

interface Files {
  readonly project?: string;
  readonly user?: string;
}

function load(folder: string, files: Files, rest: Partial<ConfigPlaces> = {}) {
  const home = join(folder, 'home');
  const projectDir = join(folder, 'project');
  mkdirSync(join(home, '.config', 'tutti'), { recursive: true });
  mkdirSync(projectDir, { recursive: true });
  if (files.project !== undefined) writeFileSync(join(projectDir, 'tutti.yaml'), files.project);
  if (files.user !== undefined) writeFileSync(join(home, '.config', 'tutti', 'config.yaml'), files.user);
  const loaded = loadConfig({ projectDir, env: {}, home, trust: everythingCounts, ...rest });
  return loaded.ok ? loaded.value : loaded.error.map(problemSentence).join('\n');
}

test('with no file at all, every known CLI has a driver, and a cassette in the project is played', () => {
  using folder = tempFolder();
  mkdirSync(join(folder.path, 'project'));
  writeFileSync(join(folder.path, 'project', 'cassette.yaml'), '');
  const agentCli = (preset: string, models: object) => ({
    type: 'acp',
    agent: { preset },
    models,
    rules: {},
    quietMs: 600_000,
  });
  expect(load(folder.path, {})).toEqual({
    driver: 'replay',
    driverFrom: 'cassette',
    undeclared: ['claude', 'codex', 'gemini', 'opencode'],
    drivers: {
      claude: {
        type: 'claude',
        program: 'claude',
        models: { low: 'haiku', medium: 'sonnet', high: 'opus' },
      },
      codex: {
        type: 'codex',
        program: 'codex',
        models: { low: 'gpt-6-luna', medium: 'gpt-6.1-sol', high: 'gpt-6-astra' },
        config: {},
      },
      gemini: agentCli('gemini', {
        low: 'gemini-2.5-flash-lite',
        medium: 'gemini-2.5-flash',
        high: 'gemini-2.5-pro',
      }),
      opencode: agentCli('opencode', {}),
      replay: { type: 'replay', cassette: join(folder.path, 'project', 'cassette.yaml') },
    },
    agents: {},
    env: [],
    secrets: [],
    maxSessions: 5,
    sessionTimeoutMs: 1_800_000,
    maxDepth: 5,
    eventsKeepMs: 2_592_000_000,
    limits: {
      memoryBytes: null,
      processes: 4096,
      cpuPercent: null,
      fileBytes: null,
      diskWarnBytes: 104_857_600,
      diskFailBytes: 524_288_000,
      stallMs: 600_000,
    },
    totalDiskWarnBytes: 1_048_576_000,
    archiveKeepMs: 2_592_000_000,
    host: 'headless',
    tmux: { socket: expect.stringMatching(/^tutti-[0-9a-f]{8}$/), prefix: 'iw' },
    sandbox: { mode: 'auto', write: [], domains: [] },
    workspace: { setup: null, testCommands: null, teardown: [], timeoutMs: 600_000, undeclared: 'ask' },
    prices: {},
    firstTurn: { tokens: 0, costUsd: 0 },
    withheld: [],
  });
  expect(load(folder.path, { project: '# nothing yet\n' })).toMatchObject({ driver: 'replay' });
});

test('a CLI on PATH that is a file of a project that is not trusted is withheld, whichever driver runs it', () => {
  using folder = tempFolder();
  const bin = join(folder.path, 'bin');
  const clis = ['claude', 'codex', 'gemini', 'opencode'];
  mkdirSync(bin);
  mkdirSync(join(folder.path, 'project/.git'), { recursive: true });
  for (const name of clis) {
    writeFileSync(join(folder.path, 'project', name), '#!/bin/sh\n', { mode: 0o755 });
    symlinkSync(join(folder.path, 'project', name), join(bin, name));
  }
  const withheld = (isKnown: boolean) =>
    load(folder.path, {}, { env: { PATH: bin }, trust: { ...everythingCounts, isKnown } });
  expect(withheld(false)).toMatchObject({ withheld: clis });
  expect(withheld(true)).toMatchObject({ withheld: [] });
});

test('a project that names no driver uses the first known CLI on PATH', () => {
  using folder = tempFolder();
  const bin = join(folder.path, 'bin');
  mkdirSync(bin);
  const found = (project?: string) =>
    load(folder.path, project === undefined ? {} : { project }, { env: { PATH: bin } });
  expect(found()).toMatchObject({ driver: 'none', driverFrom: 'path' });
  for (const [cli, first] of [
    ['opencode', 'opencode'],
    ['codex', 'codex'],
    ['gemini', 'codex'],
    ['claude', 'claude'],
  ] as const) {
    writeFileSync(join(bin, cli), '#!/bin/sh\n', { mode: 0o755 });
    expect(found('max_depth: 3')).toMatchObject({ driver: first, driverFrom: 'path' });
  }
  expect(found('driver: gemini')).toMatchObject({ driver: 'gemini', driverFrom: 'named' });
  expect(found('drivers: { claude: { type: claude } }')).toMatchObject({
    driver: 'claude',
    undeclared: ['codex', 'gemini', 'opencode'],
    drivers: { claude: { models: { medium: 'sonnet' } } },
  });
});

test('limits are laid over each other one by one, and a stronger layer may take one away', () => {
  using folder = tempFolder();
  const files = {
    user: 'limits: { memory: 2GB, disk_fail: 1MB }\ntmux: { socket: mine }\n',
    project: 'limits: { memory: none, cpu: 50 }\nstall_after: 3m\n',
  };
  expect(load(folder.path, files)).toMatchObject({
    limits: {
      memoryBytes: null,
      cpuPercent: 50,
      diskFailBytes: 1_048_576,
      processes: 4096,
      stallMs: 180_000,
    },
    tmux: { socket: 'mine', prefix: 'iw' },
  });
});

test('flags outweigh the environment, that the project, that the user, that the default', () => {
  using folder = tempFolder();
  const files = { user: 'max_sessions: 2\nmax_depth: 2\n', project: 'max_sessions: 3\n' };
  const env = { TUTTI_MAX_SESSIONS: '4', TUTTI_SESSION_TIMEOUT: '1h', TUTTI_MAX_DEPTH: '' };
  const flags = { maxSessions: '7' };
  const value = (rest: Partial<ConfigPlaces>, from: Files = files) => load(folder.path, from, rest);
  expect(value({ env, flags })).toMatchObject({ maxSessions: 7, maxDepth: 2, sessionTimeoutMs: 3_600_000 });
  expect(value({ env })).toMatchObject({ maxSessions: 4 });
  expect(value({})).toMatchObject({ maxSessions: 3, maxDepth: 2, sessionTimeoutMs: 1_800_000 });
  expect(value({}, { ...files, project: '{}' })).toMatchObject({ maxSessions: 2 });
});

test('drivers and agents of user and project are there together, the project’s stronger', () => {
  using folder = tempFolder();
  const user = `drivers: {mine: {type: command, command: [user]}, tape: {type: replay, cassette: tape.yaml}}
agents: {coder: {tier: low}, other: {tier: low}}`;
  const project =
    'driver: mine\ndrivers: {mine: {type: command, command: [project]}}\nagents: {coder: {tier: high}}';
  expect(load(folder.path, { user, project })).toMatchObject({
    driver: 'mine',
    drivers: {
      mine: { command: ['project'] },
      tape: { cassette: join(folder.path, 'home', '.config', 'tutti', 'tape.yaml') },
      replay: { type: 'replay' },
    },
    agents: { coder: { tier: 'high' }, other: { tier: 'low' } },
  });
});

test('the built-in replay driver can be given another cassette', () => {
  using folder = tempFolder();
  const project = 'drivers: {replay: {type: replay, cassette: tapes/a.yaml}}';
  expect(load(folder.path, { project })).toMatchObject({
    drivers: { replay: { cassette: join(folder.path, 'project', 'tapes', 'a.yaml') } },
  });
});

test('the user’s file stands where XDG says, or below ~/.config', () => {
  expect(userConfigPath({}, '/home/me')).toBe('/home/me/.config/tutti/config.yaml');
  expect(userConfigPath({ XDG_CONFIG_HOME: '/cfg' }, '/home/me')).toBe('/cfg/tutti/config.yaml');
  expect(userConfigPath({ XDG_CONFIG_HOME: 'relative' }, '/home/me')).toBe(
    '/home/me/.config/tutti/config.yaml',
  );
});

test.each([
  [
    'driver: min\ndrivers: {mine: {type: replay, cassette: c}}',
    /tutti\.yaml:1:9: driver: there is no driver "min"; did you mean 'mine'\?$/,
  ],
  [
    'agents:\n  coder: {driver: nobody}',
    /tutti\.yaml:2:19: agents\.coder\.driver: there is no driver "nobody"; known are claude, codex, gemini, opencode, replay$/,
  ],
  ['max_sessions: many', /tutti\.yaml:1:15: max_sessions: must be a whole number from 1 to 1000$/],
  ['a: [', /tutti\.yaml:1:\d+: /],
  ['- a', /tutti\.yaml:1:1: must be a mapping with driver/],
])('the project file %j is refused: %s', (project, sentence) => {
  using folder = tempFolder();
  expect(load(folder.path, { project })).toMatch(sentence);
});

test.each([
  [{ TUTTI_MAX_SESSIONS: '-1' }, 'TUTTI_MAX_SESSIONS must be a whole number from 1 to 1000'],
  [{ TUTTI_MAX_DEPTH: '0x5' }, 'TUTTI_MAX_DEPTH must be a whole number from 0 to 100'],
  [{ TUTTI_SESSION_TIMEOUT: 'soon' }, 'TUTTI_SESSION_TIMEOUT must be a duration'],
  [{ TUTTI_DRIVER: '../x' }, 'TUTTI_DRIVER must be a name'],
  [{ TUTTI_DRIVER: 'replai' }, `there is no driver "replai"; did you mean 'replay'?`],
])('the environment %j is refused: %s', (env, sentence) => {
  using folder = tempFolder();
  expect(load(folder.path, {}, { env })).toContain(sentence);
});

test('a wrong flag is named as the flag it is', () => {
  using folder = tempFolder();
  expect(load(folder.path, {}, { flags: { maxDepth: 'deep' } })).toBe(
    '--max-depth must be a whole number from 0 to 100',
  );
});

test('a file that is there and cannot be read is an error, not an absence', () => {
  using folder = tempFolder();
  mkdirSync(join(folder.path, 'project', 'tutti.yaml'), { recursive: true });
  expect(load(folder.path, {})).toMatch(/tutti\.yaml: is a directory$/);
  expect(load(folder.path, { user: 'x: 1' })).toMatch(/config\.yaml:1:1: unknown member "x"/);
});

test('a project prices its own models, and keeps the prices of the person for the others', () => {
  using folder = tempFolder();
  const list = (day: string, models: string): string => `prices: {as_of: ${day}, models: {${models}}}\n`;
  const user = list('2026-01-01', 'big: {input: 1, output: 1}, small: {input: 2, output: 2}');
  const project = list('2026-11-01', 'big: {input: 9, output: 9}');
  expect(load(folder.path, { user, project })).toMatchObject({
    prices: { big: { input: 9, asOf: '2026-11-01' }, small: { input: 2, asOf: '2026-01-01' } },
  });
});
