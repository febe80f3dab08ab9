import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identify } from '../../src/lib/process/identity.ts';
import { end } from '../../src/runtime/end-attempt.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { until } from '../rig/attempt-rig.ts';

const namespace = ['-p', '-f', '--mount-proc'] as const;
const mayForce =
  spawnSync('unshare', [...namespace, 'sh', '-c', 'echo 50 >/proc/sys/kernel/ns_last_pid'], {
    stdio: 'ignore',
  }).status === 0;

test(`a stranger with a reused pid is spared (${mayForce ? 'forced with ns_last_pid' : 'this machine does not let us force it'})`, () => {
  if (!mayForce) return expect(mayForce).toBe(false);
  using folder = tempFolder();
  const program = repository('test/misbehaving/victim.ts');
  const { stdout, stderr } = spawnSync('unshare', [...namespace, process.execPath, program, folder.path], {
    encoding: 'utf8',
    timeout: 300_000,
  });
  expect(stderr).toBe('');
  const report = JSON.parse(stdout) as { pid: number; reused: number };
  expect(report).toMatchObject({ spared: true, control: true });
  expect(report.reused).toBe(report.pid);
});

test('an attempt whose launcher has another start time never ends who has its pid now', async () => {
  using folder = tempFolder();
  const stranger = spawn('sleep', ['300'], { stdio: 'ignore', detached: true });
  const pid = stranger.pid ?? 0;
  try {
    await until('it runs', () => identify(pid) !== null);
    const identity = identify(pid);
    const attempt = (name: string, startTime: string): string => {
      const dir = join(folder.path, name);
      mkdirSync(dir);
      writeFileSync(join(dir, 'started'), `started ${pid} ${startTime} ${identity?.bootId} ${name} .\n`);
      return dir;
    };
    await end(attempt('mistaken', `${identity?.startTime}1`), 'mistaken', 'enough');
    expect(identify(pid)).toEqual(identity);
    // Control: with its own start time it is the one that is meant.
    await end(attempt('right', identity?.startTime ?? ''), 'right', 'enough');
    expect(identify(pid)).toBeNull();
  } finally {
    stranger.kill('SIGKILL');
  }
});
