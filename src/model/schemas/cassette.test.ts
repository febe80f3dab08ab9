import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { corrupted } from '../../../test/rig/corruption.ts';
import { cassetteForm, eventOf, isCassetteStop } from './cassette.ts';
import { problemSentence } from './problem.ts';
import { readForm } from './yaml-document.ts';

const whole = `turns:
  - match: {agent: coder, step: build, contains: "a library", turn: 1, attempt: 1}
    delay_ms: 5
    files: {src/a.js: "export const a = 1;\\n"}
    append: {CHANGELOG.md: "- a\\n"}
    commands:
      - [node, --check, src/a.js]
      - {command: ["false"], may_fail: true}
    text: I wrote {WORKSPACE}/src/a.js
    tools: [{name: Edit, target: src/a.js}, {name: Bash}]
    usage: {input_tokens: 10, output_tokens: 5, cost_usd: 0.01}
    result: {status: success, summary: done}
    exit: 0
  - {hang: true}
  - recorded: {session: 20260101-000000-coder, at: 2026-01-01T00:00:00Z, driver: claude, left_out: [a.bin is too large]}
    match: {prompt: "write it", nth: 2}
    delete: [old.js]
    bytes: {a.bin: AAEC}
    executable: [a.bin]
    events:
      - {conversation: c}
      - {denied: {tool: Bash, reason: "no"}}
      - {limit: {reset_at: 2026-01-01T00:00:00Z}}
    stop: limit
    signal: SIGTERM
  - {limit: {reset_in: 5m}}
`;

const sentences = (text: string): readonly string[] => {
  const read = readForm(cassetteForm, text, 'cassette.yaml');
  return read.ok ? [] : read.error.map(problemSentence);
};

test('a cassette may say everything that the contract names', () => {
  expect(sentences(whole)).toEqual([]);
});

test.each([
  ['{}', 'turns: is missing'],
  ['turns: [{mach: {}}]', 'turns[0]: unknown member "mach" (did you mean "match"?)'],
  ['turns: [{match: {attempt: 0}}]', 'turns[0].match.attempt: must be a whole number from 1'],
  ['turns: [{commands: [make]}]', 'turns[0].commands[0]: must be a program and its arguments, or a mapping'],
  ['turns: [{files: {a: 5}}]', 'turns[0].files.a: must be the content of the file, as text'],
  ['turns: [{events: [{}]}]', 'turns[0].events[0]: must have exactly one of text, tool'],
  ['turns: [{events: [{text: a, problem: b}]}]', 'turns[0].events[0]: must have exactly one of'],
  ['turns: [{limit: {reset_in: 1s, reset_at: 2026-01-01T00:00:00Z}}]', 'may name reset_at or reset_in'],
  ['turns: [{limit: {reset_at: soon}}]', 'turns[0].limit.reset_at: must be a time'],
  ['turns: [{stop: finished}]', 'turns[0].stop: must be one of failed, timeout'],
  ['turns: [{signal: TERM}]', 'turns[0].signal: must be the name of a signal'],
  ['turns: [{bytes: {a: "?"}}]', 'turns[0].bytes.a: must be base64'],
  ['turns: [{exit: 256}]', 'turns[0].exit: must be a whole number from 0 to 255'],
])('%j is refused with the sentence %j', (text, sentence) => {
  expect(sentences(text)).toEqual([expect.stringContaining(sentence)]);
});

test('500 corruptions of a cassette: each is read or refused with a sentence', () => {
  let refused = 0;
  fc.assert(
    fc.property(corrupted(whole), (text) => {
      const found = sentences(text);
      if (found.length > 0) refused += 1;
      for (const sentence of found) expect(sentence).toMatch(/^cassette\.yaml(:\d+:\d+)?: ./);
    }),
    { seed: 12, numRuns: 500 },
  );
  expect(refused).toBeGreaterThan(200);
});

test('each event of a cassette is one of the vocabulary', () => {
  const types = [
    { text: 'a' },
    { tool: { name: 'a' } },
    { files: ['a'] },
    { usage: {} },
    { conversation: 'a' },
    { waiting: 'a' },
    { answered: { request: 1, answer: 'allow' as const } },
    { limit: {} },
    { retrying: 'a' },
    { sign_in: 'a' },
    { denied: { tool: 'a' } },
    { blocked: { tool: 'a' } },
    { problem: 'a' },
  ].map((event) => eventOf(event, 0).type);
  expect(types).toEqual([
    'text',
    'tool',
    'files',
    'usage',
    'conversation',
    'waiting',
    'answered',
    'limit',
    'retrying',
    'sign-in',
    'denied',
    'blocked',
    'problem',
  ]);
  expect(eventOf({ usage: { cached_input_tokens: 3 } }, 0)).toMatchObject({
    usage: { cachedInputTokens: 3 },
  });
  expect(eventOf({}, 0)).toEqual({ type: 'problem', message: '' });
  expect(eventOf({ tool: { name: 'a', target: 'b' } }, 0)).toMatchObject({ target: 'b' });
  expect(eventOf({ denied: { tool: 'a', reason: 'b' } }, 0)).toMatchObject({ reason: 'b' });
  expect(eventOf({ blocked: { tool: 'a', reason: 'b' } }, 0)).toMatchObject({ reason: 'b' });
  expect(eventOf({ limit: { reset_in: 7 } }, 1)).toMatchObject({ resetAt: 8 });
  expect(eventOf({ limit: { reset_at: '1970-01-01T00:00:01Z' } }, 1)).toMatchObject({ resetAt: 1000 });
  expect([isCassetteStop('limit'), isCassetteStop('finished')]).toEqual([true, false]);
});

test('a tool call that failed needs no target and no reason', () => {
  expect(eventOf({ tool_failed: { name: 'Write' } }, 0)).toEqual({
    type: 'tool-failed',
    name: 'Write',
    target: '',
    reason: '',
  });
});

test('a denied tool call keeps its target, and that it ended a call which was told before', () => {
  expect(eventOf({ denied: { tool: 'Write', target: '/etc/hosts', call: true } }, 0)).toEqual({
    type: 'denied',
    tool: 'Write',
    target: '/etc/hosts',
    call: true,
    reason: '',
  });
});
