import { expect, test } from 'vitest';
import type { DriverEvent, ReadTurn } from '../../model/driver.ts';
import { type CassetteTurn, eventOf } from '../../model/schemas/cassette.ts';
import { fillIn, withOpen } from '../replay/variables.ts';
import { recordedTurn } from './turn.ts';
import { generalised } from './variables.ts';
import { plainSpec } from '../../../test/rig/session-spec.ts';

const read: ReadTurn = {
  spec: {
    ...plainSpec,
    driver: 'taped',
    prompt: 'write /project/work/a.js',
    workspace: '/project/work',
    result: 'required',
    timeoutMs: 1000,
  },
  place: {
    sessionId: '20260101-000000-coder',
    sessionDir: '/project/.tutti/sessions/20260101-000000-coder',
    projectDir: '/project',
  },
  runId: 'run-2026',
  step: 'build',
  attempt: 1,
  end: { exitCode: 0, signal: null, ended: null },
  stop: 'finished',
  events: [],
  result: null,
  changes: { written: [], deleted: [], leftOut: [] },
  at: 0,
  redact: (text) => text.replaceAll('hunter2', '[redacted:KEY]'),
};

const recorded = (more: Partial<ReadTurn>): CassetteTurn =>
  recordedTurn({ ...read, ...more }, { name: 'claude', tellsTools: true });

test('that an agent tells no tools is recorded: their absence then means nothing when it is played', () => {
  expect(recordedTurn(read, { name: 'mine', tellsTools: false })).toMatchObject({ tells_tools: false });
  expect(recorded({})).not.toHaveProperty('tells_tools');
});
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a turn is recorded with what was asked, and with nothing that it did not do', () => {
  expect(recorded({})).toEqual({
    recorded: { session: '20260101-000000-coder', at: '1970-01-01T00:00:00.000Z', driver: 'claude' },
    match: { agent: 'coder', step: 'build', attempt: 1, turn: 1, prompt: 'write {WORKSPACE}/a.js' },
  });
});

test('every event comes back as it was', () => {
  const events: readonly DriverEvent[] = [
    { type: 'conversation', id: 'c-1' },
    { type: 'text', text: 'hello {STEP}\n' },
    { type: 'tool', name: 'Edit', target: '/w/a' },
    { type: 'tool', name: 'Bash', target: '' },
    { type: 'files', paths: ['a', 'b'] },
    { type: 'usage', usage: { inputTokens: 1, outputTokens: null, costUsd: 0.5 } },
    { type: 'usage', usage: { inputTokens: 1, outputTokens: 2, costUsd: 0.5, cachedInputTokens: 1 } },
    { type: 'waiting', why: 'a person' },
    { type: 'limit', resetAt: 1_763_200_000_000 },
    { type: 'limit', resetAt: null },
    { type: 'retrying', reason: 'busy' },
    { type: 'denied', tool: 'Bash', reason: 'no' },
    { type: 'blocked', tool: 'Write', reason: '' },
    { type: 'problem', message: 'API Error' },
  ];
  const said = recorded({ events }).events ?? [];
  const fill = (event: DriverEvent): DriverEvent =>
    event.type === 'text' ? { ...event, text: fillIn(event.text, withOpen([['STEP', 'x']])) } : event;
  expect(said.map((event) => fill(eventOf(event, 0)))).toEqual(events);
});

test('numbers that no file can hold, and times that are none, are unknown', () => {
  const odd = Number.POSITIVE_INFINITY;
  const events: readonly DriverEvent[] = [
    { type: 'usage', usage: { inputTokens: odd, outputTokens: 1, costUsd: null } },
    { type: 'limit', resetAt: 1e300 },
    { type: 'limit', resetAt: -1 },
  ];
  expect(recorded({ events }).events).toEqual([
    { usage: { input_tokens: null, output_tokens: 1, cost_usd: null } },
    { limit: {} },
    { limit: {} },
  ]);
});

test('files are text where they are, bytes where not; what was removed and what may be run is told', () => {
  const written = [
    { path: 'a.js', content: bytes('in /project/work'), executable: true },
    { path: 'b.bin', content: Uint8Array.of(0, 255), executable: false },
  ];
  expect(recorded({ changes: { written, deleted: ['c'], leftOut: ['d: it is a link'] } })).toMatchObject({
    files: { 'a.js': 'in {WORKSPACE}' },
    bytes: { 'b.bin': 'AP8=' },
    executable: ['a.js'],
    delete: ['c'],
    recorded: { left_out: ['d: it is a link'] },
  });
});

test.each([
  ['{"status":"success","summary":"in /project/work"}', { status: 'success', summary: 'in {WORKSPACE}' }],
  ['{torn', '{torn'],
  ['[1]', '[1]'],
])('the result %j is recorded as %j', (result, wanted) => {
  expect(recorded({ result }).result).toEqual(wanted);
});

test.each<[ReadTurn['stop'], Partial<ReadTurn['end']>, object]>([
  ['finished', {}, {}],
  ['no-result', {}, {}],
  ['failed', { exitCode: 3 }, { exit: 3 }],
  ['failed', {}, { stop: 'failed' }],
  ['limit', { exitCode: 1 }, { stop: 'limit', exit: 1 }],
  ['unavailable', { exitCode: 127 }, { exit: 127 }],
  ['crashed', { exitCode: null, signal: 'SIGSEGV' }, { signal: 'SIGSEGV' }],
  ['crashed', { exitCode: null }, { signal: 'SIGKILL' }],
  [
    'timeout',
    { exitCode: null, signal: 'SIGTERM', ended: 'timeout' },
    { stop: 'timeout', signal: 'SIGTERM' },
  ],
  ['over-quota', { exitCode: 1, ended: 'quota' }, { stop: 'over-quota', exit: 1 }],
])('a turn that is %s with %j ends with %j', (stop, end, wanted) => {
  const { match: _, recorded: __, ...rest } = recorded({ stop, end: { ...read.end, ...end } });
  expect(rest).toEqual(wanted);
});

test('secrets are taken out of everything', () => {
  const all = recorded({
    spec: { ...read.spec, prompt: 'use hunter2' },
    events: [{ type: 'text', text: 'I used hunter2' }],
    result: '{"status":"success","summary":"hunter2"}',
    changes: {
      written: [{ path: '.env', content: bytes('KEY=hunter2'), executable: false }],
      deleted: [],
      leftOut: ['hunter2'],
    },
  });
  expect(JSON.stringify(all)).not.toContain('hunter2');
});

test('what stands for a place is put back there, and what only looks like it stays as it was', () => {
  const generalise = generalised(read);
  const text =
    '/project/work /project/workshop /project {WORKSPACE} {OPEN}{STEP} {x} 20260101-000000-coder-2 run-2026.';
  const shown = generalise(text);
  expect(shown).toBe(
    '{WORKSPACE} {PROJECT}/workshop {PROJECT} {OPEN}WORKSPACE} {OPEN}OPEN}{OPEN}STEP} {x} 20260101-000000-coder-2 {RUN_ID}.',
  );
  const back = withOpen([
    ['WORKSPACE', '/project/work'],
    ['PROJECT', '/project'],
    ['RUN_ID', 'run-2026'],
    ['STEP', 'never'],
  ]);
  expect(fillIn(shown, back)).toBe(text);
  const short = { sessionId: 's', sessionDir: '/s', projectDir: '/' };
  const nothing = generalised({ ...read, runId: 'r', spec: { ...read.spec, workspace: '/w' }, place: short });
  expect(nothing('/w s r / {STEP}')).toBe('/w s r / {OPEN}STEP}');
});
