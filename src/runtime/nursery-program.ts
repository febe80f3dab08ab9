import { recorded } from '../lib/json.ts';
import { setGroupFile } from '../lib/process/cgroup.ts';
import { startAndWait, type StartRequest } from './start-detached.ts';

/**
 * A process of its own whose only work is to start others. It stays small, and so does the price of a start, which
 * grows with the memory of the process that forks. It goes when its owner goes; what it started stays. Its arguments are
 * the control groups that it joins, and with it all that it starts.
 */
interface Errand {
  readonly id: number;
  readonly request: StartRequest;
}

export interface Report {
  readonly id: number;
  /** Null: it was started and has ended. */
  readonly problem: string | null;
}

for (const group of process.argv.slice(2)) setGroupFile(group, 'cgroup.procs', String(process.pid));

process.on('message', (message) => {
  const { id, request } = recorded<Errand>(message);
  void startAndWait(request).then((problem) => {
    const report: Report = { id, problem };
    if (process.connected) process.send?.(report);
  });
});
process.on('disconnect', () => {
  process.exit(0);
});
