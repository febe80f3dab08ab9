import { spawn, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { until } from '../rig/attempt-rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { eventsOf, expectStop } from './cell.ts';
import { installed } from './install.ts';
import { agentOf, cellVariable, marked } from './marked.ts';
import { openStage } from './stage.ts';

// What the tests with the real programs rest on, tried without any of them.
afterEach(() => {
  vi.unstubAllEnvs();
});

test('a CLI that cannot be installed is told in a sentence, and a lock of the dead holds nobody up', async () => {
  using folder = tempFolder();
  vi.stubEnv('TUTTI_CACHE', folder.path);
  vi.stubEnv('TUTTI_REAL_OPENCODE', '0.0.1');
  // Nobody listens there.
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
  const { pid } = spawnSync('true');
  writeFileSync(join(folder.path, 'opencode-0.0.1.lock'), String(pid));
  expect(await installed('opencode')).toEqual({
    ok: false,
    version: '0.0.1',
    why: expect.stringMatching(/^opencode-\S+@0\.0\.1 could not be installed: .*ECONNREFUSED/),
  });
  expect(existsSync(join(folder.path, 'opencode-0.0.1.half'))).toBe(false);
});

test('control: a process that was left behind is found by its mark, and the agent among the others', async () => {
  const argv = ['-c', 'tail -f /dev/null & wait', 'left', 'behind'] as const;
  const left = spawn('sh', argv, { env: { PATH: process.env['PATH'], [cellVariable]: 'm1' } });
  try {
    await until('both run', () => marked('m1').length === 2);
    expect(agentOf(marked('m1'), 'sh')?.pid).toBe(left.pid);
    expect(marked('m')).toEqual([]);
  } finally {
    for (const { pid } of marked('m1')) process.kill(pid, 'SIGKILL');
  }
  await until('nobody is left', () => marked('m1').length === 0);
});

test('a stage runs a turn as a project would, and survivors of it are told and ended', async () => {
  using folder = tempFolder();
  const stage = openStage('claude', 'sh', '0', folder.path);
  const script = 'cat >got.txt; echo said; setsid tail -f /dev/null >/dev/null 2>&1 & exit 0';
  const done = await stage.run({
    driver: { type: 'command', command: ['sh', '-c', script], input: 'file' },
    prompt: 'the prompt',
    env: {},
  });
  expect(done.turn.stop).toBe('finished');
  expect(eventsOf(done, 'text')).toEqual([{ type: 'text', text: 'said' }]);
  expect(done.files).toEqual(['got.txt']);
  expect(done.survivors.map(({ argv }) => argv[0])).toEqual(['tail']);
  // The control for every cell: with a survivor it cannot pass, nor with another stop reason.
  expect(() => {
    expectStop(done, 'finished');
  }).toThrow();
  expect(() => {
    expectStop({ ...done, survivors: [] }, 'failed');
  }).toThrow('said');
});
