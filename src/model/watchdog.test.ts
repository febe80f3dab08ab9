import { expect, test } from 'vitest';
import { formatInstant } from '../lib/instant.ts';
import { graceMs, watchSession, watchTotal, type WatchFacts } from './watchdog.ts';

const now = 1_800_000_000_000;
const lifetimeMs = 30 * 60_000;
const mb = 1024 ** 2;

const fine: WatchFacts = {
  process: 'alive',
  held: false,
  sinceAt: now - lifetimeMs,
  lifetimeMs,
  activity: { at: 'working' },
  diskBytes: 100 * mb,
  limits: { diskWarnBytes: 100 * mb, diskFailBytes: 500 * mb },
  now,
};
const tooLong = now - lifetimeMs - graceMs - 1;
const stalled = { at: 'stalled', since: now - 600_000 } as const;

function done(change: Partial<WatchFacts>): readonly string[] {
  return watchSession({ ...fine, ...change }).map((action) => {
    switch (action.do) {
      case 'end':
        return `end ${action.ending}: ${action.reason}`;
      case 'warn':
        return `warn ${action.about} since ${now - action.since}: ${action.message}`;
      case 'give-up':
        return `give up: ${action.reason}`;
      case 'settle':
        return 'settle';
    }
  });
}

test('a session that works within its limits is left alone, up to the last moment and the last byte', () => {
  expect(done({})).toEqual([]);
  expect(done({ sinceAt: tooLong + 1 })).toEqual([]);
  expect(done({ activity: { at: 'waiting', for: 'a person' } })).toEqual([]);
  expect(done({ activity: { at: 'limit-paused', until: null } })).toEqual([]);
});

test('one that lives past its deadline and the grace is ended, held or not', () => {
  const ended = ['end timeout: Timeout: it may run for 30m 00s, and its launcher did not end it'];
  expect(done({ sinceAt: tooLong })).toEqual(ended);
  expect(done({ sinceAt: tooLong, held: true })).toEqual(ended);
});

test('a full folder is told, and ends the session when it is too full', () => {
  expect(done({ diskBytes: 100 * mb + 1 })).toEqual([
    `warn disk since ${lifetimeMs}: Quota: its folder holds 100 MB; at 500 MB it is ended`,
  ]);
  expect(done({ diskBytes: 500 * mb + 1 })).toEqual([
    'end quota: Quota: its folder holds 500 MB, more than 500 MB',
  ]);
});

test('a stall is told since it began, beside what else there is to tell', () => {
  expect(done({ activity: stalled })).toEqual([
    `warn stall since 600000: Stalled: nothing heard since ${formatInstant(stalled.since)}`,
  ]);
  expect(done({ activity: stalled, diskBytes: 200 * mb })).toHaveLength(2);
});

test.each([
  ['ended', ['settle']],
  ['vanished', ['warn dead', 'settle']],
] as const)('%s: its end is recorded at once, unless somebody advances its run', (process, actions) => {
  expect(done({ process }).map((text) => text.split(' since')[0])).toEqual(actions);
  expect(done({ process, held: true })).toEqual([]);
});

test.each([
  ['unborn', ['warn stale', 'settle']],
  ['promised', ['warn stale', 'give up: it was created 31m 00s ago and never started']],
  ['waiting', ['warn stale']],
] as const)('%s: only when its time is over and nobody advances its run', (process, actions) => {
  expect(done({ process, sinceAt: tooLong }).map((text) => text.split(' since')[0])).toEqual(actions);
  expect(done({ process, sinceAt: tooLong + 1 })).toEqual([]);
  expect(done({ process, sinceAt: tooLong, held: true })).toEqual([]);
});

test('all folders together are told about above their bound, once a day', () => {
  expect(watchTotal(1000, 1000, now)).toEqual([]);
  expect(watchTotal(2000 * mb, 1000 * mb, now)).toEqual([
    {
      do: 'warn',
      about: 'disk',
      since: now - 86_400_000,
      message: 'Quota: session folders hold 2.0 GB, more than 1000 MB',
    },
  ]);
});
