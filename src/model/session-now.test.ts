import { expect, test } from 'vitest';
import { sessionOf } from '../../test/watch/session.ts';
import { type AttemptPlace, isAtWork, type LauncherFacts, sessionNow } from './session-now.ts';
import type { Session } from './session.ts';

const created: Partial<Session> = { status: 'CREATED', createdAt: 1000, startedAt: null };
const running: Partial<Session> = { status: 'RUNNING', createdAt: 1000, startedAt: 2000 };
const launched: AttemptPlace = { launched: true, held: false };

function look(row: Partial<Session>, launcher: LauncherFacts, place: AttemptPlace = launched): Session {
  return sessionNow(sessionOf('s', row), launcher, place);
}

test('a row that knows the end, or that was not launched, is as it stands', () => {
  const ended: Partial<Session> = { status: 'COMPLETED', outcome: 'SUCCESS', endedAt: 3000 };
  expect(look(ended, { at: 'vanished', startedAt: null, heardAt: 9000 })).toEqual(sessionOf('s', ended));
  expect(look(created, { at: 'unborn' }, { launched: false, held: false })).toEqual(sessionOf('s', created));
});

test('a session whose launcher never declared itself is lost, unless a process may be about to launch it', () => {
  expect(look(created, { at: 'unborn' }, { launched: true, held: true })).toEqual(sessionOf('s', created));
  expect(look(created, { at: 'unborn' })).toMatchObject({ status: 'FAILED', lost: true, endedAt: 1000 });
});

test('a living launcher makes a session running, since the start that the launcher recorded', () => {
  expect(look(created, { at: 'alive', pid: 7, since: 1500 })).toMatchObject({
    status: 'RUNNING',
    startedAt: 1500,
  });
  expect(look(running, { at: 'alive', pid: 7, since: 1500 }).startedAt).toBe(1500);
  expect(look(running, { at: 'alive', pid: null, since: 0 })).toEqual(sessionOf('s', running));
  expect(look(created, { at: 'alive', pid: null, since: 0 }).startedAt).toBe(1000);
});

test('an end that its launcher recorded has a status, a code and a time, and no outcome', () => {
  const ended: LauncherFacts = {
    at: 'ended',
    status: 'COMPLETED',
    exitCode: 0,
    startedAt: 2500,
    endedAt: 5000,
  };
  expect(look(running, ended)).toMatchObject({
    status: 'COMPLETED',
    exitCode: 0,
    endedAt: 5000,
    outcome: null,
  });
  expect(look(running, { ...ended, startedAt: 1, endedAt: 1 })).toMatchObject({
    startedAt: 1000,
    endedAt: 1000,
  });
  expect(look(created, ended)).toMatchObject({ startedAt: 2500, endedAt: 5000 });
});

test('a process that vanished leaves a lost session, which ended when it was heard of last', () => {
  expect(look(running, { at: 'vanished', startedAt: 1500, heardAt: 4000 })).toMatchObject({
    status: 'FAILED',
    outcome: 'FAILURE',
    lost: true,
    endedAt: 4000,
  });
});

test('where its launcher recorded no start, a session that vanished began when its row says so', () => {
  expect(look(running, { at: 'vanished', startedAt: null, heardAt: 4000 }).startedAt).toBe(2000);
});

test('an attempt is at work while its launcher lives or its run is held', () => {
  expect(isAtWork({ at: 'alive', pid: null, since: 0 }, { held: false })).toBe(true);
  expect(isAtWork({ at: 'unborn' }, { held: true })).toBe(true);
  expect(isAtWork({ at: 'unborn' }, { held: false })).toBe(false);
});
