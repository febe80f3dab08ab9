import { expect, test } from 'vitest';
import type { DriverEvent } from '../../model/driver.ts';
import { ToldWait } from './watch-session.ts';

const asks = (number: number, target: string): DriverEvent => ({
  type: 'waiting',
  // Logs of earlier releases name an answer here that no command takes.
  why: `permission; answer "allow ${number}"`,
  request: { number, tool: 'execute', target, input: '', options: ['allow', 'deny'] },
});
const answered = (request: number): DriverEvent => ({ type: 'answered', request, answer: 'allow' });
const says: DriverEvent = { type: 'text', text: 'x' };

test('a wait is over when something is said; one for an answer when it is answered, each for itself', () => {
  const told = new ToldWait();
  const after = (...events: readonly DriverEvent[]) => {
    for (const event of events) told.hear(event);
    return told.now;
  };
  expect(after({ type: 'waiting', why: 'a dialog' })).toEqual({ at: 'waiting', for: 'a dialog' });
  expect(after(says)).toBeNull();
  expect(after(asks(1, 'one'), asks(2, 'two'), says)).toEqual({
    at: 'waiting',
    for: 'permission to execute: one',
  });
  expect(after(answered(1), says)).toEqual({ at: 'waiting', for: 'permission to execute: two' });
  expect(after(answered(2))).toBeNull();
  expect(after({ type: 'limit', resetAt: 5 })).toEqual({ at: 'limit-paused', until: 5 });
});
