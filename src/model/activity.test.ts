import { expect, test } from 'vitest';
import { activityOf, type ActivityFacts } from './activity.ts';

const facts: ActivityFacts = {
  status: 'RUNNING',
  alive: true,
  told: null,
  heardAt: 1000,
  stallMs: 500,
  now: 1400,
};

test.each<[string, Partial<ActivityFacts>, object]>([
  ['one that was not started starts', { status: 'CREATED', alive: null }, { at: 'starting' }],
  ['one that was heard of works', {}, { at: 'working' }],
  ['one that was silent too long is stalled', { now: 1500 }, { at: 'stalled', since: 1000 }],
  [
    'one that waits for a person is not stalled, however long it waits',
    { told: { at: 'waiting', for: 'permission' }, now: 9e9 },
    { at: 'waiting', for: 'permission' },
  ],
  ['one whose launcher is gone is dead', { alive: false, now: 9e9 }, { at: 'dead' }],
  ['one that was killed is finished', { status: 'KILLED', alive: false }, { at: 'finished' }],
  ['one that completed is finished', { status: 'COMPLETED', alive: null }, { at: 'finished' }],
  ['one that failed is finished', { status: 'FAILED', alive: false }, { at: 'finished' }],
])('%s', (_, change, activity) => {
  expect(activityOf({ ...facts, ...change })).toEqual(activity);
});
