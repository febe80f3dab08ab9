import { startAndWait, type StartRequest } from './start-detached.ts';

/**
 * A process of its own whose only work is to start others. It stays small, and so does the price of a start, which
 * grows with the memory of the process that forks. It goes when its owner goes; what it started stays.
 */
export interface Errand {
  readonly id: number;
  readonly request: StartRequest;
}

process.on('message', (message) => {
  const { id, request } = message as Errand;
  void startAndWait(request).then((problem) => {
    if (process.connected) process.send?.({ id, problem });
  });
});
process.on('disconnect', () => {
  process.exit(0);
});
