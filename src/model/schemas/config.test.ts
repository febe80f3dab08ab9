import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { corrupted } from '../../../test/rig/corruption.ts';
import { configForm, configLayerOf } from './config.ts';
import { problemSentence } from './problem.ts';
import { readForm } from './yaml-document.ts';

function layer(text: string) {
  const form = readForm(configForm, text, 'tutti.yaml');
  return form.ok ? configLayerOf(form.value) : form.error.map(problemSentence);
}

const whole = `driver: mine
drivers:
  mine: {type: command, command: [python3, agent.py]}
  live: {type: command, command: [x], input: stream}
  replay: {type: replay, cassette: c.yaml}
  taped: {type: record, driver: mine, cassette: t.yaml}
  tui: {type: command, command: [x], interactive: [x, --tui]}
  claude: {type: claude}
  strict: {type: claude, program: ./claude, permission_mode: plan, allowed_tools: [Read, Write], models: {high: opus}}
agents:
  coder: {driver: mine, tier: high}
  other: {}
env: [MY_KEY]
max_sessions: 2
session_timeout: 45m
max_depth: 3
events_keep: 7d
`;

test('what is written arrives, and what is not written stays open for a weaker layer', () => {
  expect(layer(whole)).toEqual({
    driver: 'mine',
    drivers: {
      mine: { type: 'command', command: ['python3', 'agent.py'], input: 'file' },
      live: { type: 'command', command: ['x'], input: 'stream' },
      replay: { type: 'replay', cassette: 'c.yaml' },
      taped: { type: 'record', driver: 'mine', cassette: 't.yaml' },
      tui: { type: 'command', command: ['x'], input: 'file', interactive: ['x', '--tui'] },
      claude: { type: 'claude', program: 'claude', models: {} },
      strict: {
        type: 'claude',
        program: './claude',
        permissionMode: 'plan',
        allowedTools: ['Read', 'Write'],
        models: { high: 'opus' },
      },
    },
    agents: { coder: { driver: 'mine', tier: 'high' }, other: {} },
    env: ['MY_KEY'],
    maxSessions: 2,
    sessionTimeoutMs: 2_700_000,
    maxDepth: 3,
    eventsKeepMs: 604_800_000,
  });
  expect(layer('{}')).toEqual({});
});

test('a driver under the name of a CLI is that CLI, and needs no type', () => {
  const drivers = `
  claude: {models: {medium: sonnet}}
  codex: {models: {low: small}}
  gemini: {models: {high: pro}}
  opencode: {command: [opencode, acp]}
`;
  expect(layer(`drivers:${drivers}`)).toMatchObject({
    drivers: {
      claude: { type: 'claude', program: 'claude', models: { medium: 'sonnet' } },
      codex: { type: 'codex', program: 'codex', models: { low: 'small' } },
      gemini: { type: 'acp', agent: { preset: 'gemini' }, models: { high: 'pro' } },
      opencode: { type: 'acp', agent: { command: ['opencode', 'acp'] } },
    },
  });
  // Its own word counts, and another name says nothing.
  expect(layer('drivers: {claude: {type: command, command: [x]}}')).toMatchObject({
    drivers: { claude: { type: 'command' } },
  });
  expect(layer('drivers: {claud: {models: {medium: x}}}')).toEqual([
    expect.stringContaining('drivers.claud.type: is missing'),
  ]);
  expect(layer('drivers: {claude: 7}')).toEqual([expect.stringContaining('drivers.claude: must be')]);
  expect(layer('drivers: [claude]')).toEqual([expect.stringContaining('drivers: must be a mapping')]);
});

test('nothing is found under a name that nobody gave', () => {
  const read = layer(whole);
  expect('drivers' in read && read.drivers?.['constructor']).toBe(undefined);
});

test.each([
  ['drivers: {x: {type: command}}', 'drivers.x.command: is missing'],
  ['drivers: {x: {type: replay}}', 'drivers.x.cassette: is missing'],
  ['drivers: {x: {type: record, cassette: c}}', 'drivers.x.driver: is missing'],
  [
    'drivers: {x: {type: replay, cassette: c, command: [a]}}',
    'drivers.x.command: is not for a driver of type replay',
  ],
  [
    'drivers: {x: {type: command, command: [a], cassette: c}}',
    'drivers.x.cassette: is not for a driver of type',
  ],
  ['drivers: {x: {type: shell}}', 'drivers.x.type: must be one of command, replay, record'],
  [
    'drivers: {x: {type: claude, permission_mode: bypassPermissions}}',
    'drivers.x.permission_mode: must be one of default, acceptEdits, dontAsk, plan',
  ],
  [
    'drivers: {x: {type: claude, interactive: [a]}}',
    'drivers.x.interactive: is not for a driver of type claude',
  ],
  ['drivers: {../x: {type: replay, cassette: c}}', 'drivers["../x"]'],
  ['drivers: 5', 'drivers: must be a mapping of drivers by name'],
  ['agents: {coder: {tier: best}}', 'agents.coder.tier: must be one of low, medium, high'],
  ['env: ["A=B"]', 'env[0]: must be the name of an environment variable'],
  ['max_sessions: 0', 'max_sessions: must be a whole number from 1 to 1000'],
  ['max_session: 3', 'unknown member "max_session" (did you mean "max_sessions"?)'],
])('%j is refused with the sentence %j', (text, sentence) => {
  expect(layer(text)).toEqual([expect.stringContaining(sentence)]);
});

test('500 corruptions of tutti.yaml: each is read or refused with a sentence', () => {
  let refused = 0;
  fc.assert(
    fc.property(corrupted(whole), (text) => {
      const read = layer(text);
      if (!Array.isArray(read)) return;
      refused += 1;
      for (const sentence of read) expect(sentence).toMatch(/^tutti\.yaml(:\d+:\d+)?: ./);
    }),
    { seed: 11, numRuns: 500 },
  );
  expect(refused).toBeGreaterThan(200);
});

test.each([
  ['limits: { memory: lots }', 'limits.memory: must be an amount such as "4GB", or "none"'],
  [
    'limits: { disk_fail: 12 }',
    'limits.disk_fail: must be an amount such as "64KB", "500MB" or "2GB", at least 4KB',
  ],
  ['limits: { disk_fail: many }', 'limits.disk_fail: must be an amount such as'],
  ['limits: { processes: 2 }', 'limits.processes: must be'],
])('a limit that makes no sense is refused: %s', (text, sentence) => {
  expect(JSON.stringify(layer(text))).toContain(JSON.stringify(sentence).slice(1, -1));
});

test('a sandbox is one word, or a mapping that says more', () => {
  expect(layer('sandbox: workspace')).toMatchObject({
    sandbox: { mode: 'workspace', write: [], domains: [] },
  });
  expect(
    layer('sandbox: { mode: strict, write: [~/.cache/x, /opt/y], domains: [api.example.com] }'),
  ).toMatchObject({
    sandbox: { mode: 'strict', write: ['~/.cache/x', '/opt/y'], domains: ['api.example.com'] },
  });
  expect(layer('sandbox: { mode: off }')).toMatchObject({ sandbox: { mode: 'off', write: [], domains: [] } });
  for (const path of ['relative', '~', '/a/../b']) {
    expect(JSON.stringify(layer(`sandbox: { mode: workspace, write: ["${path}"] }`))).toContain('must be');
  }
});

test('workspaces may be prepared and taken down by commands, each an argument list', () => {
  expect(
    layer('workspace: { setup: [[npm, ci]], teardown: [[docker, compose, down]], timeout: 5m }'),
  ).toMatchObject({
    workspace: { setup: [['npm', 'ci']], teardown: [['docker', 'compose', 'down']], timeoutMs: 300_000 },
  });
  expect(layer('workspace: {}')).toMatchObject({ workspace: {} });
  expect(JSON.stringify(layer('workspace: { setup: [npm ci] }'))).toContain('must be');
});

test('a first turn reserves the tokens, the money or both that are written, and nothing else', () => {
  expect(layer('first_turn: { tokens: 5000 }')).toMatchObject({ firstTurn: { tokens: 5000, costUsd: 0 } });
  expect(layer('first_turn: { cost_usd: 0.5 }')).toMatchObject({ firstTurn: { tokens: 0, costUsd: 0.5 } });
});
