import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { identify, isSuspended } from '../../src/lib/process/identity.ts';
import { until } from '../rig/attempt-rig.ts';
import { repository } from '../rig/repository.ts';

interface SuspendedHolder extends AsyncDisposable {
  readonly pid: number;
  /** Lets it continue, and waits for its end. */
  continued(): Promise<void>;
}

/** A process that suspended itself while it holds a lock; it adds one to the number in the file when it continues. */
export async function suspendedHolder(lock: string, file: string): Promise<SuspendedHolder> {
  const args = [repository('test/workspaces/holder.ts'), lock, file, '1', 'suspends'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = once(child, 'exit');
  const pid = child.pid ?? 0;
  await until('the holder is suspended', () => {
    const identity = identify(pid);
    return identity !== null && isSuspended(identity);
  });
  return {
    pid,
    continued: async () => {
      child.kill('SIGCONT');
      await ended;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
