import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Holder } from './holder.ts';
import { isLapsed, mayTakeOver } from './lease.ts';

const me: Holder = { id: 'me', host: 'here', pid: 1, startTime: '1', bootId: 'boot' };
const other: Holder = { ...me, id: 'other', pid: 2 };
const elsewhere: Holder = { ...other, host: 'there', bootId: 'its' };
const facts = (alive: boolean, monotonic = 0) => ({ me, monotonic, gone: alive ? [] : [other, elsewhere] });

test('a run that nobody holds, or that we hold, is ours', () => {
  expect(mayTakeOver(null, facts(true))).toBe(true);
  expect(mayTakeOver({ holder: me, until: 1e9 }, facts(true))).toBe(true);
});

test('a living holder on this machine is replaced exactly when its lease has lapsed', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (until, now) => {
      expect(mayTakeOver({ holder: other, until }, facts(true, now))).toBe(until <= now);
      expect(isLapsed({ until }, now)).toBe(until <= now);
    }),
  );
});

test('a dead one, and one from before the reboot, is replaced at once', () => {
  expect(mayTakeOver({ holder: other, until: 1e9 }, facts(false))).toBe(true);
  expect(mayTakeOver({ holder: { ...other, bootId: 'old' }, until: 1e9 }, facts(true))).toBe(true);
});

test('a dead process does not speak for another one with its number', () => {
  for (const another of [
    { ...other, startTime: '2' },
    { ...other, id: 'another' },
    { ...other, pid: 3 },
  ])
    expect(mayTakeOver({ holder: another, until: 1e9 }, facts(false))).toBe(false);
});

test('whether a process of another machine lives cannot be seen from here', () => {
  expect(mayTakeOver({ holder: elsewhere, until: 1e9 }, facts(false))).toBe(false);
});
