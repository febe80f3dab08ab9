import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import type { DriverConfig } from '../model/config.ts';
import type { SessionSpec } from '../model/turn.ts';
import { driverOf, readyDriver } from './registry.ts';
import { noTrust } from '../../test/rig/trust.ts';
import { plainSpec, fileContract } from '../../test/rig/session-spec.ts';

const spec: SessionSpec = {
  ...plainSpec,
  result: 'required',
  timeoutMs: 1000,
};
const place = {
  sessionId: 's',
  sessionDir: '/s',
  contract: fileContract('/s'),
  projectDir: '/p',
  trust: noTrust,
};

function driver(config: DriverConfig, projectDir = '/p', searchPath = '') {
  const found = driverOf('mine', { drivers: { mine: config } }, { projectDir, searchPath });
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

test('a command driver runs the configured program with the prompt on its input', () => {
  const mine = driver({ type: 'command', command: ['python3', 'agent.py'], input: 'file' });
  expect(mine.plan(spec, place)).toEqual({
    argv: ['python3', 'agent.py'],
    env: {},
    stdin: 'who\n\n---\n\n**TASK DELEGATION**:\n\nwhat',
    launcher: 'shell',
  });
  expect(mine.reader().line('hello')).toEqual([{ type: 'text', text: 'hello' }]);
});

test('a program with a path is the one of the project, wherever the step works; streams need a host', () => {
  const relative = driver({ type: 'command', command: ['./agent.sh', 'x'], input: 'stream' }).plan(
    spec,
    place,
  );
  expect(relative).toMatchObject({ argv: ['/p/agent.sh', 'x'], launcher: 'host' });
  const absolute = driver({ type: 'command', command: ['/bin/cat'], input: 'file' }).plan(spec, place);
  expect(absolute.argv).toEqual(['/bin/cat']);
});

test('a program that is not on PATH is named; one that is there is not', () => {
  using folder = tempFolder();
  const bin = join(folder.path, 'bin');
  mkdirSync(join(bin, 'folder'), { recursive: true });
  writeFileSync(join(bin, 'agent'), '#!/bin/sh\n');
  const missing = (program: string): string | null =>
    driver({ type: 'command', command: [program], input: 'file' }, folder.path, `:/nowhere:${bin}`).missing();
  expect(missing('agent')).toBe(
    'the program agent is not on PATH: install it, or name another one in tutti.yaml',
  );
  expect(missing('bin/agent')).toBe(`${bin}/agent is not there or may not be executed`);
  chmodSync(join(bin, 'agent'), 0o755);
  expect(missing('agent')).toBe(null);
  expect(missing('bin/agent')).toBe(null);
  expect(missing('folder')).toContain('not on PATH');
});

test('a replay driver plays a cassette, and says so when there is none', () => {
  using folder = tempFolder();
  const cassette = join(folder.path, 'cassette.yaml');
  const replay = driver({ type: 'replay', cassette });
  expect(replay.missing()).toContain(`${cassette} does not exist`);
  writeFileSync(cassette, 'turns: []');
  expect(replay.missing()).toBe(null);
  const { argv, launcher } = replay.plan(spec, place);
  expect(argv).toEqual([
    process.execPath,
    expect.stringMatching(/drivers\/replay\/player\.[jt]s$/),
    cassette,
  ]);
  expect(launcher).toBe('shell');
});

test('a driver that nobody described is refused with the nearest one, and no inherited name is a driver', () => {
  const config = { drivers: { mine: { type: 'replay', cassette: '/c' } } as const };
  const paths = { projectDir: '/p', searchPath: '' };
  expect(driverOf('mina', config, paths)).toMatchObject({
    ok: false,
    error: {
      reason: 'unavailable',
      outcome: 'USAGE',
      message: `there is no driver "mina"; did you mean 'mine'?`,
    },
  });
  expect(driverOf('constructor', config, paths)).toMatchObject({
    error: { message: 'there is no driver "constructor"; known are mine' },
  });
});

test('a driver is ready only when what it runs is there', () => {
  const paths = { projectDir: '/p', searchPath: '' };
  const drivers: Record<string, DriverConfig> = {
    gone: { type: 'command', command: ['no-such-program'], input: 'file' },
    here: { type: 'command', command: ['/bin/sh'], input: 'file' },
  };
  expect(readyDriver('gone', { drivers }, paths)).toMatchObject({
    ok: false,
    error: {
      outcome: 'UNAVAILABLE',
      message: expect.stringContaining('the program no-such-program is not on PATH'),
    },
  });
  expect(readyDriver('here', { drivers }, paths).ok).toBe(true);
  expect(readyDriver('none', { drivers }, paths).ok).toBe(false);
});

test.each([
  ['claude', { type: 'claude' }, 'allowed_tools'],
  ['codex', { type: 'codex' }, 'sandbox'],
  ['acp', { type: 'acp', agent: { preset: 'gemini' } }, 'permissions'],
  ['command', { type: 'command', command: ['/bin/sh'], input: 'file' }, undefined],
] as const)('a driver of type %s names its setting for tools', (_type, config, setting) => {
  const found = driverOf(
    'd',
    { drivers: { d: config as DriverConfig } },
    { projectDir: '/p', searchPath: '' },
  );
  expect(found.ok && found.value.permissionSetting).toBe(setting);
});
