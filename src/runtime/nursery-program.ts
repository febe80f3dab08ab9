import { recorded } from '../lib/json.ts';
import { startAndWait, type StartRequest } from './start-detached.ts';

/**
 * A process of its own whose only work is to start others. It stays small, and so does the price of a start, which
 * grows with the memory of the process that forks. It goes when its owner goes; what it started stays.
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
