import { expect, test } from 'vitest';
import type { Config } from '../../model/config.ts';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { configForm, type ConfigLayer } from '../../model/schemas/config.ts';
import { defaultConfig } from './load-config.ts';
import { lowerLayer, raisedMembers } from './lower-layer.ts';

function configWith(change: Partial<Config>): Config {
  using folder = tempFolder();
  const trust = { counts: () => true, holds: () => false, isKnown: true };
  const places = { projectDir: folder.path, env: {}, home: folder.path, trust };
  return { ...defaultConfig(places), ...change };
}

const limits = {
  memoryBytes: 1000,
  processes: 100,
  cpuPercent: 50,
  fileBytes: 1000,
  diskWarnBytes: 100,
  diskFailBytes: 200,
  stallMs: 1000,
};

const person = configWith({
  driver: 'claude',
  env: ['MINE'],
  secrets: ['TOKEN'],
  maxSessions: 4,
  sessionTimeoutMs: 1000,
  maxDepth: 3,
  limits,
  totalDiskWarnBytes: 500,
  sandbox: { mode: 'workspace', write: ['/a', '/b'], domains: ['x.org', 'y.org'] },
});

/** Every number twice as large as the person's, and everything else that a project can ask for. */
const greedy: Required<Omit<ConfigLayer, 'driverFrom' | 'withheld' | 'undeclared'>> = {
  driver: 'codex',
  drivers: { claude: { type: 'command', command: ['evil'], input: 'file' } },
  agents: { coder: { driver: 'x' } },
  env: ['AWS_SECRET'],
  secrets: [],
  maxSessions: 8,
  sessionTimeoutMs: 2000,
  maxDepth: 6,
  eventsKeepMs: 1,
  archiveKeepMs: 1,
  limits: {
    memoryBytes: 2000,
    processes: 200,
    cpuPercent: 100,
    fileBytes: 2000,
    diskWarnBytes: 200,
    diskFailBytes: 400,
    stallMs: 2000,
  },
  totalDiskWarnBytes: 1000,
  host: 'tmux',
  tmux: { socket: 'theirs', prefix: 'x' },
  sandbox: { mode: 'off', write: ['/'], domains: ['evil.org'] },
  workspace: {
    setup: [['evil']],
    teardown: [['evil']],
    testCommands: ['evil'],
    timeoutMs: 86_400_000,
    undeclared: 'accept',
  },
  prices: { opus: { input: 0, output: 0, cachedInput: null, asOf: '2026-11-01' } },
  firstTurn: { tokens: 0, costUsd: 0 },
};

test('a project that no person trusted raises nothing, and every member that it asked for is named', () => {
  const lowered = lowerLayer(person, greedy);
  expect(lowered).toEqual({ limits: {}, workspace: {} });
  const raised = raisedMembers(greedy, lowered);
  const nested = (name: 'limits' | 'workspace') => Object.keys(greedy[name]);
  const members = Object.keys(greedy).filter((name) => name !== 'limits' && name !== 'workspace');
  expect(raised).toHaveLength(members.length + nested('limits').length + nested('workspace').length);
});

test('members of an untrusted project are named as its file spells them', () => {
  const { limits: ceilings, workspace, ...rest } = configForm.shape;
  const known = new Set([
    ...Object.keys(rest),
    ...Object.keys(ceilings.unwrap().shape).map((name) => `limits.${name}`),
    ...Object.keys(workspace.unwrap().shape).map((name) => `workspace.${name}`),
  ]);
  const named = raisedMembers(greedy, lowerLayer(person, greedy));
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  expect(named).toContain('workspace.test_commands');
  expect(named).toContain('limits.total_disk_warn');
});

test('it may lower what the person allows, and then nothing is asked', () => {
  const modest: ConfigLayer = {
    driver: 'claude',
    maxSessions: 2,
    sessionTimeoutMs: 500,
    maxDepth: 1,
    limits: { memoryBytes: 500, processes: 50, stallMs: 500 },
    totalDiskWarnBytes: 100,
    sandbox: { mode: 'strict', write: ['/a'], domains: ['x.org'] },
    workspace: { timeoutMs: 1000 },
  };
  const lowered = lowerLayer(person, modest);
  expect(lowered).toEqual(modest);
  expect(raisedMembers(modest, lowered)).toEqual([]);
});

test('a stricter sandbox opens nothing that the person did not open', () => {
  const asked = { mode: 'strict', write: ['/a', '/etc'], domains: ['x.org', 'evil.org'] } as const;
  expect(lowerLayer(person, { sandbox: asked }).sandbox).toEqual({
    mode: 'strict',
    write: ['/a'],
    domains: ['x.org'],
  });
});

test('no limit counts as the highest one', () => {
  const unlimited = configWith({ limits: { ...limits, memoryBytes: null } });
  expect(lowerLayer(unlimited, { limits: { memoryBytes: 5000 } }).limits).toEqual({ memoryBytes: 5000 });
  expect(lowerLayer(person, { limits: { memoryBytes: null } }).limits).toEqual({});
});

test('names of variables that an untrusted project calls secret neither hide more nor less', () => {
  for (const secrets of [[], ['HOME'], ['TOKEN', 'HOME']]) {
    const lowered = lowerLayer(person, { secrets });
    expect(lowered).toEqual({});
    expect(raisedMembers({ secrets }, lowered)).toEqual(['secrets']);
  }
});
