import { expect, test } from 'vitest';
import type { AcpDriver } from '../model/acp.ts';
import { cautiousRules } from '../model/acp.ts';
import { defineDriver } from './registry.ts';

const acp = (agent: AcpDriver['agent']): AcpDriver => ({
  type: 'acp',
  agent,
  models: {},
  rules: cautiousRules,
  quietMs: 1,
});

test.each([
  [{ type: 'claude', program: 'claude', allowedTools: [], models: {} }, ['claude', '--resume', 'c-1']],
  [
    { type: 'codex', program: '/opt/codex', sandbox: 'read-only', models: {}, config: {} },
    ['/opt/codex', 'resume', 'c-1'],
  ],
  [acp({ preset: 'opencode' }), ['opencode', '--session', 'c-1']],
  [acp({ preset: 'gemini' }), null],
  [acp({ command: ['./agent'] }), null],
  [{ type: 'command', command: ['./agent'], input: 'file' }, null],
] as const)('%j is continued by a person with %j', (form, command) => {
  expect(defineDriver(form)?.resumeCommand?.('c-1') ?? null).toEqual(command);
});
