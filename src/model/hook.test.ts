import { expect, test } from 'vitest';
import { activityAfter, hookEventOf, recordedHook, type HookEvent } from './hook.ts';
import { typedDigest } from './typed-text.ts';

test.each<[string, unknown, HookEvent | null]>([
  ['ready', { source: 'startup' }, { event: 'ready' }],
  ['working', null, { event: 'working', tool: '' }],
  ['working', { tool_name: 'Edit' }, { event: 'working', tool: 'Edit' }],
  ['ended', [], { event: 'ended' }],
  ['submitted', { prompt: 'do it' }, { event: 'submitted', prompt: typedDigest('do it') }],
  ['waiting', { message: 'needs your permission' }, { event: 'waiting', why: 'needs your permission' }],
  ['waiting', { tool_name: 'Bash' }, { event: 'waiting', why: 'permission to use Bash' }],
  ['waiting', {}, { event: 'waiting', why: 'a decision' }],
  ['turn-done', { last_assistant_message: 'finished' }, { event: 'turn-done', message: 'finished' }],
  ['turn-done', { message: 5 }, { event: 'turn-done', message: '' }],
  ['blocked', { tool: 'Write', reason: 'no' }, { event: 'blocked', tool: 'Write', reason: 'no', id: '' }],
  ['anything', {}, null],
])('%s with %j is one event', (name, input, event) => {
  expect(hookEventOf(name, input)).toEqual(event);
});

test('what a hook recorded is read back as it was', () => {
  const events = [
    hookEventOf('submitted', { prompt: 'p' }),
    hookEventOf('waiting', { message: 'm' }),
    hookEventOf('blocked', { tool: 't', reason: 'r' }),
    hookEventOf('turn-done', { message: 'm' }),
  ];
  expect(events.map((event) => recordedHook(JSON.parse(JSON.stringify(event))))).toEqual(events);
});

test.each([null, 'ready', [], {}, { event: 5 }, { event: 'constructor' }])('%j is no event', (value) => {
  expect(recordedHook(value)).toBeNull();
});

test('a long message is cut, because a line is written in one piece', () => {
  expect(JSON.stringify(hookEventOf('turn-done', { message: 'x'.repeat(90_000) })).length).toBeLessThan(5000);
});

test.each<[HookEvent, object | null]>([
  [{ event: 'ready' }, { at: 'waiting', for: 'the next message' }],
  [{ event: 'submitted', prompt: '' }, { at: 'working' }],
  [{ event: 'working', tool: '' }, { at: 'working' }],
  [
    { event: 'waiting', why: 'x' },
    { at: 'waiting', for: 'x' },
  ],
  [
    { event: 'turn-done', message: '' },
    { at: 'waiting', for: 'the next message' },
  ],
  [{ event: 'blocked', tool: 'Write', reason: '', id: '' }, null],
  [{ event: 'ended' }, null],
])('%j tells what the session does', (event, activity) => {
  expect(activityAfter(event)).toEqual(activity);
});
