import { expect, test } from 'vitest';
import type { CommandEnd } from '../../../model/command.ts';
import { messageOf } from '../../../model/message.ts';
import { plain } from '../../../lib/json.ts';
import { acceptanceOf } from './task-accept.ts';

const criterion = { criterion: 'The tests pass', verification: 'npm test' } as Parameters<
  typeof acceptanceOf
>[0];
const end: CommandEnd = {
  exitCode: 1,
  signal: null,
  timedOut: false,
  outputTail: 'one\ntwo\n\nthree\nfour\n',
  lastLine: 'four',
  outputDigest: 'd',
  durationMs: 300,
  log: '/p/.tutti/runs/r/tasks/accept-1.log',
};

test('a criterion that does not pass shows its command, exit code, last lines and log', () => {
  const failed = acceptanceOf(criterion, end);
  const words =
    '`npm test` ended with code 1 after 0.3 s: two | three | four; log: /p/.tutti/runs/r/tasks/accept-1.log';
  expect(failed.finding).toBe(words);
  // The events and the status of the step say the same.
  expect(messageOf({ at: 'done', outcome: 'FAILURE', value: plain(failed) })).toBe(words);
  expect(acceptanceOf(criterion, { ...end, outputTail: '' }).finding).toContain('it printed nothing');
  expect(acceptanceOf(criterion, { ...end, exitCode: 0 })).not.toHaveProperty('finding');
});
