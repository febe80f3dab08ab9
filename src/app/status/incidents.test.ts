import { expect, test } from 'vitest';
import type { Json } from '../../lib/json.ts';
import type { Entry, EntryState } from '../../model/entry.ts';
import { failure } from '../../model/failure.ts';
import { findIncidents } from './incidents.ts';

function entry(key: string, openedAt: number, state: EntryState, more: Partial<Entry> = {}): Entry {
  const rest = { attempt: 1, losses: 0, spec: null, sessionId: null, change: 0, priority: 0, dueAt: null };
  return { key, kind: 'session', state, openedAt, endedAt: null, ...rest, ...more };
}

const done = (value: Json): EntryState => ({ at: 'done', outcome: 'SUCCESS', value });

test('what happened on the way is told for each turn, in the order of the work', () => {
  const recovered = { session: 's1', conversation: 'c', inFlight: ['Bash make'] };
  const entries = [
    entry('a@1', 3, done({ stop: 'limit', resetAt: 5000, retries: 2 }), { endedAt: 3000 }),
    entry('a/gate@1', 2, { at: 'failed', failure: failure('gate', 'two tests fail') }, { kind: 'task' }),
    // The clock was set back between them.
    entry('a/heal-1@2', 1, done({ stop: 'finished', deniedTools: ['Bash', 'Write'] })),
    entry('b@1', 4, done({ stop: 'finished', recovered }), { losses: 1 }),
    entry('c@1', 5, done({ stop: 'limit', resetAt: null, recovered: { ...recovered, inFlight: [] } })),
    entry('c/resume-1@1', 5, done({ stop: 'limit', resetAt: null, limitKind: 'overload' }), { endedAt: 0 }),
    entry('d@1', 6, { at: 'lost' }, { losses: 2 }),
    entry('e/heal-1@1', 7, { at: 'open' }),
  ];
  expect(findIncidents(entries).map(({ step, text }) => `${step}: ${text}`)).toEqual([
    'a: its CLI asked the model again 2 times by itself',
    'a: usage limit until 00:00:05 UTC',
    'a/heal-1: tried again because: two tests fail',
    'a/heal-1: not permitted: Bash, Write',
    'b: lost once: its process vanished without a result',
    'b: continues session s1, whose process vanished; 1 tool call may have run: Bash make',
    'c: continues session s1, whose process vanished',
    'c: usage limit',
    'c/resume-1: model overloaded, tries again at 00:02:00 UTC',
    'd: lost 2 times: its process vanished without a result',
  ]);
  expect(findIncidents([entry('a@1', 1, done({ stop: 'finished' }))])).toEqual([]);
});

test('a result that was written after its turn is told with the turn that wrote it', () => {
  const entries = [
    entry('a@1', 1, done({ stop: 'finished' }), { sessionId: 's1' }),
    entry('a/heal-1@2', 2, done({ stop: 'finished' }), { sessionId: 's2' }),
  ];
  expect(findIncidents(entries, ['s1'])).toEqual([
    {
      step: 'a',
      text: 'session s1 wrote a result after its turn had ended; it does not count: late-result.json',
    },
  ]);
});
