import { expect, test } from 'vitest';
import type { EntryState } from './entry.ts';
import { failure } from './failure.ts';
import { abbreviateTold, messageOf } from './message.ts';
import type { Json } from '../lib/json.ts';

const bad = (value: Json): EntryState => ({ at: 'done', outcome: 'FAILURE', value });

test.each<[string, EntryState, string | null]>([
  ['a failure says why', { at: 'failed', failure: failure('exit', 'broken') }, 'broken'],
  ['so does a try that will be repeated', { at: 'retrying', failure: failure('exit', 'not yet') }, 'not yet'],
  ['what still runs has nothing to say', { at: 'launched' }, null],
  ['success needs no words', { at: 'done', outcome: 'SUCCESS', value: { failure: { message: 'x' } } }, null],
  ['a value that is no record has none', bad('text'), null],
  [
    'a command tells its exit code and last line',
    bad({ exitCode: 2, timedOut: false, durationMs: 300, lastLine: 'no such file' }),
    'ended with exit code 2 after 0.3s: no such file',
  ],
  [
    'a turn tells its failure',
    bad({ exitCode: 2, failure: { message: 'the agent gave up' } }),
    'the agent gave up',
  ],
  [
    'a command that took too long says so',
    bad({ exitCode: null, signal: null, timedOut: true }),
    'timed out after 0.0s and was killed',
  ],
  [
    'a command that was killed names the signal',
    bad({ exitCode: null, signal: 'SIGSEGV', timedOut: false }),
    'was killed by SIGSEGV after 0.0s',
  ],
  ['a gate tells its finding', bad({ finding: 'the file is missing' }), 'the file is missing'],
  ['a criterion tells its finding', bad({ exitCode: 1, finding: 'it ended with 1' }), 'it ended with 1'],
  ['a record that tells nothing', bad({ other: 1 }), null],
])('%s', (_name, state, message) => {
  expect(messageOf(state)).toBe(message);
});

test('what was told of a step is short in the message of its run, as far as it is a whole sentence', () => {
  expect(abbreviateTold('a: broken; b: gone', ['a: broken'])).toBe('a failed; b: gone');
  expect(abbreviateTold('a: broken; b: gone', ['b: gone', 'a: broken'])).toBe('a failed; b failed');
  expect(abbreviateTold('a: broken, although it was reminded', ['a: broken'])).toBe(
    'a: broken, although it was reminded',
  );
});
