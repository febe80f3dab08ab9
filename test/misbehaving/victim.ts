import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identify, isAlive, type ProcessIdentity } from '../../src/lib/process/identity.ts';
import { end } from '../../src/runtime/end-attempt.ts';
import { until } from '../rig/attempt-rig.ts';

/**
 * Runs alone in a pid namespace of its own, where it decides which number the next process gets. A process ends, a
 * stranger gets its number, and the attempt that still has the old one written down is ended.
 */
const folder = process.argv[2] ?? '';
const first = await startSleep();
process.kill(first.pid, 'SIGKILL');
await until('the first one is gone', () => identify(first.pid) === null);
const stranger = await reuse(first);

await end(attemptOf('mistaken', first), 'mistaken', 'enough');
const spared = isAlive(stranger);
// Control: an attempt that has the stranger itself written down does end it.
await end(attemptOf('right', stranger), 'right', 'enough');
process.stdout.write(
  JSON.stringify({ pid: first.pid, reused: stranger.pid, spared, control: !isAlive(stranger) }),
);
process.exit(0);

async function startSleep(): Promise<ProcessIdentity> {
  const { pid = 0 } = spawn('sleep', ['300'], { stdio: 'ignore', detached: true });
  await until('it runs', () => identify(pid) !== null);
  return identify(pid) ?? { pid, startTime: '', bootId: '' };
}

/** Somebody else may take the number first; then again. */
async function reuse({ pid, startTime }: ProcessIdentity): Promise<ProcessIdentity> {
  const command =
    'echo $(($1 - 1)) >/proc/sys/kernel/ns_last_pid; setsid sleep 300 </dev/null >/dev/null 2>&1 & echo $!';
  for (let tries = 0; tries < 100; tries += 1) {
    const { stdout } = spawnSync('sh', ['-c', command, 'sh', String(pid)], { encoding: 'utf8' });
    const started = identify(Number(stdout));
    if (started !== null && started.pid === pid && started.startTime !== startTime) return started;
    if (started !== null) process.kill(started.pid, 'SIGKILL');
    await until('it is gone', () => started === null || !isAlive(started));
  }
  throw new Error('the number was never given again');
}

function attemptOf(name: string, launcher: ProcessIdentity): string {
  const dir = join(folder, name);
  mkdirSync(dir);
  writeFileSync(
    join(dir, 'started'),
    `started ${launcher.pid} ${launcher.startTime} ${launcher.bootId} ${name} .\n`,
  );
  return dir;
}
