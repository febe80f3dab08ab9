import { expect, test } from 'vitest';
import type { CommandEnd } from '../model/command.ts';
import type { MachineGate } from '../model/gate.ts';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { judgeGate, type JudgedWork } from './judge-gate.ts';

const end: CommandEnd = {
  exitCode: 0,
  signal: null,
  timedOut: false,
  outputTail: '',
  lastLine: '',
  outputDigest: '',
  durationMs: 0,
  log: null,
};

function workIn(folder: string, more: Partial<JudgedWork> = {}): JudgedWork {
  return {
    workspace: folder,
    projectDir: folder,
    toolCalls: 0,
    run: () => Promise.resolve(end),
    git: () => Promise.resolve({ exitCode: 0, stdout: '', stderr: '' }),
    ...more,
  };
}

test.for<[MachineGate, boolean]>([
  [{ kind: 'command', argv: ['true'], timeoutMs: 1000 }, true],
  [{ kind: 'file', path: 'missing' }, false],
  [{ kind: 'schema', path: 'missing', schema: 'missing' }, false],
  [{ kind: 'diff' }, false],
  [{ kind: 'tools', min: 1 }, false],
])('every kind of gate is judged: %j passes: %s', async ([gate, passed]) => {
  using folder = tempFolder();
  expect(await judgeGate(gate, workIn(folder.path))).toMatchObject({ gate: gate.kind, passed });
});

test('a command that was killed has no verdict', async () => {
  using folder = tempFolder();
  const run = () => Promise.resolve('killed' as const);
  const gate: MachineGate = { kind: 'command', argv: ['true'], timeoutMs: 1000 };
  expect(await judgeGate(gate, workIn(folder.path, { run }))).toBe('killed');
});
