import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { replayReader, untoldMark } from './parse.ts';

const events = (...lines: string[]) => {
  const reader = replayReader();
  return lines.flatMap((line) => reader.line(line));
};

test('each event of the player is read as it was sent', () => {
  const sent = [
    { type: 'text', text: 'hello\nthere' },
    { type: 'tool', name: 'Edit', target: 'a.ts' },
    { type: 'usage', usage: { inputTokens: 1, outputTokens: null, costUsd: 0.5 } },
    { type: 'problem', message: 'no' },
    { type: 'problem', message: 'no' },
    { type: 'usage', usage: { inputTokens: 1, outputTokens: null, costUsd: 0, cachedInputTokens: 1 } },
    { type: 'files', paths: ['a', 'b'] },
    { type: 'conversation', id: 'c-1' },
    { type: 'waiting', why: 'a person' },
    { type: 'answered', request: 2, answer: 'deny' },
    { type: 'limit', resetAt: 5 },
    { type: 'limit', resetAt: null },
    { type: 'retrying', reason: 'busy' },
    { type: 'denied', tool: 'Bash', reason: 'no' },
    { type: 'blocked', tool: 'Write', reason: '' },
  ];
  expect(events(...sent.map((event) => JSON.stringify(event)))).toEqual(sent);
});

test('that an agent tells no tools is no event, and known once it was read', () => {
  const reader = replayReader();
  expect(reader.untold?.()).toBe(false);
  expect(reader.line(JSON.stringify({ type: untoldMark }))).toEqual([]);
  expect(reader.untold?.()).toBe(true);
});

test.each([
  'plain words',
  '{broken',
  '{"type":"other"}',
  '{"type":"text"}',
  '[1]',
  '{"type":"usage","usage":5}',
  '{"type":"files","paths":[1]}',
  '{"type":"files"}',
  '{"type":"tool","name":"x"}',
  '{"type":"answered","request":"2","answer":"deny"}',
  '{"type":"problem"}',
  '{"type":"conversation","id":1}',
  '{"type":"waiting"}',
  '{"type":"retrying"}',
  '{"type":"denied","tool":"x"}',
  '{"type":"stop","stop":"finished"}',
  '',
])('the line %j is text', (line) => {
  expect(events(line)).toEqual([{ type: 'text', text: line }]);
});

test('a problem told on both streams is told once; another one is told too', () => {
  const [first, second] = ['{"type":"problem","message":"a"}', 'tutti replay: a'];
  expect(events(first ?? '', second ?? '', 'tutti replay: b')).toEqual([
    { type: 'problem', message: 'a' },
    { type: 'problem', message: 'b' },
  ]);
});

test('numbers that cannot be are unknown, never zero', () => {
  expect(events('{"type":"usage","usage":{"inputTokens":-1,"outputTokens":"5"}}')).toEqual([
    { type: 'usage', usage: { inputTokens: null, outputTokens: null, costUsd: null } },
  ]);
});

test('whatever stands in a log, reading it twice gives the same', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.json())), (lines) => {
      expect(events(...lines)).toEqual(events(...lines));
    }),
  );
});

test('a stop that was played counts, unless the process was ended; it never makes a success', () => {
  const stop = (line: string, exitCode: number, ended: 'timeout' | null = null) => {
    const reader = replayReader();
    expect(reader.line(line).length).toBe(line.includes('finished') ? 1 : 0);
    return reader.stop({ exitCode, signal: null, ended });
  };
  expect(stop('{"type":"stop","stop":"limit"}', 1)).toBe('limit');
  expect(stop('{"type":"stop","stop":"failed"}', 0)).toBe('failed');
  expect(stop('{"type":"stop","stop":"limit"}', 1, 'timeout')).toBe('timeout');
  expect(stop('{"type":"stop","stop":"finished"}', 1)).toBe('failed');
});
