import { expect, test } from 'vitest';
import { acpExits } from '../../model/acp.ts';
import type { DriverEvent } from '../../model/driver.ts';
import { acpReader } from './parse.ts';

const events: readonly DriverEvent[] = [
  { type: 'text', text: 'x' },
  { type: 'tool', name: 'edit', target: 'a' },
  { type: 'files', paths: ['a'] },
  { type: 'usage', usage: { inputTokens: 1, outputTokens: 2, costUsd: null } },
  { type: 'conversation', id: 'c' },
  { type: 'waiting', why: 'w' },
  {
    type: 'waiting',
    why: 'w',
    request: { number: 1, tool: 'edit', target: 'a', input: '', options: ['allow', 'deny'] },
  },
  { type: 'answered', request: 1, answer: 'never' },
  { type: 'limit', resetAt: 5 },
  { type: 'denied', tool: 'edit', reason: 'r' },
  { type: 'problem', message: 'm' },
];

test('what the client tells is read as it was told', () => {
  const reader = acpReader();
  expect(events.flatMap((event) => reader.line(JSON.stringify(event)))).toEqual(events);
});

test('what the agent complains about, and what only looks like an event, is left to people', () => {
  const reader = acpReader();
  const lines = [
    'Ripgrep is not available',
    '',
    '{',
    '[]',
    '{"type":"text"}',
    '{"type":"tool","name":1}',
    '{"type":"x"}',
    '{"type":"answered","request":0,"answer":"allow"}',
    '{"type":"answered","request":1,"answer":"perhaps"}',
  ];
  expect(lines.flatMap((line) => reader.line(line))).toEqual([]);
});

test('only the end of the turn is a success, and a limit is a limit', () => {
  const stop = (exitCode: number | null, signal: string | null = null) =>
    acpReader().stop({ exitCode, signal, ended: null });
  expect(Object.entries(acpExits).filter(([, code]) => stop(code) === 'finished')).toEqual([['end_turn', 0]]);
  expect(stop(acpExits.limit)).toBe('limit');
  expect(stop(acpExits.unavailable)).toBe('unavailable');
  expect(stop(null, 'SIGKILL')).toBe('crashed');
  expect(acpReader().stop({ exitCode: acpExits.limit, signal: null, ended: 'killed' })).toBe('killed');
});
