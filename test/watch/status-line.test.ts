import { expect, test } from 'vitest';
import { closingOf } from '../../src/cli/attach/closing-lines.ts';
import { statusLine } from '../../src/cli/attach/status-line.ts';
import { painter } from '../../src/cli/render/style.ts';
import type { Activity } from '../../src/model/activity.ts';
import type { Session } from '../../src/model/session.ts';
import { sessionOf } from './session.ts';

const id = '20251118-153042-worker';
const paint = painter(false);

function status(columns: number, activity: Activity = { at: 'working' }): string {
  return statusLine({
    session: sessionOf(id),
    activity,
    now: 67_000,
    columns,
    paint,
    hint: 'Ctrl-C detaches',
  });
}

test('a status line says who, how and for how long; on a narrow screen what changes', () => {
  expect(status(100)).toBe(`● ${id} · worker · RUNNING 1m 07s · working · Ctrl-C detaches`);
  expect(status(70)).toBe(`● ${id} · worker · RUNNING 1m 07s · working`);
  expect(status(50)).toBe('● RUNNING 1m 07s · working');
  expect(status(55)).toBe(`● ${id} · RUNNING 1m 07s · working`);
  expect(status(20)).toBe('● RUNNING 1m 07s · …');
});

test.each<readonly [Activity, string]>([
  [{ at: 'starting' }, '○ RUNNING 1m 07s · starting'],
  [{ at: 'waiting', for: 'may I\nrun?' }, '◐ RUNNING 1m 07s · waiting: may I run?'],
  [{ at: 'limit-paused', until: null }, '◐ RUNNING 1m 07s · limit paused'],
  [{ at: 'dead' }, '✕ RUNNING 1m 07s · dead: its process vanished wi…'],
  [{ at: 'finished' }, '● RUNNING 1m 07s · finished'],
])('%j', (activity, line) => {
  expect(status(49, activity)).toBe(line);
});

function closing(change: Partial<Session>, retriedAs: string | null = null) {
  return closingOf({ session: sessionOf(id, change), retriedAs, now: 60_000, paint });
}

test('whoever leaves is told that it goes on, and how to come back', () => {
  expect(closing({})).toEqual({
    lines: [`detached: session ${id} continues`, `  → attach again: tutti session attach ${id}`],
    outcome: 'SUCCESS',
  });
});

test('the end is told with its outcome and the next command', () => {
  expect(closing({ status: 'COMPLETED', outcome: 'SUCCESS', endedAt: 12_000, exitCode: 0 })).toEqual({
    lines: [`✔ session ${id} COMPLETED in 12s`, `  → look at it: tutti session status ${id}`],
    outcome: 'SUCCESS',
  });
  expect(
    closing({ status: 'COMPLETED', outcome: 'HUMAN_INPUT', endedAt: 12_000, exitCode: 0 }),
  ).toMatchObject({
    lines: [`✕ session ${id} COMPLETED after 12s: HUMAN_INPUT, exit code 0`, expect.anything()],
    outcome: 'HUMAN_INPUT',
  });
  expect(closing({ status: 'KILLED', outcome: 'FAILURE', endedAt: 12_000 }, 'other')).toEqual({
    lines: [`✕ session ${id} KILLED after 12s: FAILURE`, '  → it is tried again: tutti session attach other'],
    outcome: 'FAILURE',
  });
});

test('an end whose result was not read has no outcome, and the command that reads it is named', () => {
  expect(closing({ status: 'COMPLETED', outcome: null, endedAt: 12_000 })).toEqual({
    lines: [
      `session ${id} has ended (COMPLETED), and no process has read its result yet`,
      `  → read it: tutti session wait ${id}`,
    ],
    outcome: 'FAILURE',
  });
});
