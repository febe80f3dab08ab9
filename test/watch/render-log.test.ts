import { expect, test } from 'vitest';
import { painter } from '../../src/cli/render/style.ts';
import { sessionLine } from '../../src/cli/render/session-line.ts';
import { replayReader } from '../../src/drivers/replay/parse.ts';
import type { DriverEvent } from '../../src/model/driver.ts';
import { eventsOf, renderer } from '../../src/app/sessions/render-log.ts';

const usage = { inputTokens: 1234, outputTokens: 56, costUsd: null };
const told: readonly (readonly [DriverEvent, readonly string[]])[] = [
  [{ type: 'text', text: 'Grüße, 世界\n\tund mehr' }, ['Grüße, 世界', '\tund mehr']],
  [{ type: 'text', text: '' }, ['']],
  [{ type: 'text', text: 'windows\r\nlines\r' }, ['windows', 'lines']],
  [{ type: 'text', text: '10%\r20%\r' }, ['10%', '20%']],
  [{ type: 'text', text: 'rm -rf /\rharmless' }, ['rm -rf /', 'harmless']],
  [{ type: 'text', text: 'a\u001B[2Jb\u001B]0;t\u0007c\u202Ed' }, ['abcd']],
  [{ type: 'tool', name: 'Edit', target: 'src/x.ts' }, ['● Edit src/x.ts']],
  [{ type: 'tool', name: 'Bash\n', target: 'a\nb\u001B[31m' }, ['● Bash a b']],
  [{ type: 'usage', usage }, ['· 1,234 tokens in, 56 out']],
  [{ type: 'usage', usage: { ...usage, costUsd: 0.5 } }, ['· 1,234 tokens in, 56 out · $0.50']],
  [{ type: 'usage', usage: { inputTokens: null, outputTokens: 7, costUsd: null } }, ['· ? tokens in, 7 out']],
  [{ type: 'usage', usage: { inputTokens: null, outputTokens: null, costUsd: 2 } }, ['· $2.00']],
  [{ type: 'usage', usage: { inputTokens: null, outputTokens: null, costUsd: null } }, []],
  [
    { type: 'tool-failed', name: 'Write', target: 'a.md', reason: 'not\u001b[2J read yet' },
    ['✕ Write a.md: not read yet'],
  ],
  [{ type: 'tool-failed', name: 'edit', target: 'a.md', reason: '' }, ['✕ edit a.md failed']],
  [{ type: 'waiting', why: 'may I\nrun rm?' }, ['◐ waits for a person: may I run rm?']],
  [{ type: 'limit', resetAt: null }, ['◐ usage limit']],
  [{ type: 'limit', resetAt: null, kind: 'overload' }, ['◐ model overloaded']],
  [{ type: 'limit', resetAt: Number.POSITIVE_INFINITY }, ['◐ usage limit until an unknown time']],
  [{ type: 'problem', message: 'broke\u0007n' }, ['✕ broken']],
];

test.for(told)('%j is shown in lines that are safe', ([event, expected]) => {
  expect(renderer()(event).map((line) => sessionLine(line, painter(false)))).toEqual(expected);
});

test('a limit says until when', () => {
  const [line] = renderer()({ type: 'limit', resetAt: Date.UTC(2026, 0, 1, 15, 30) });
  expect(line?.text).toBe('usage limit until 2026-01-01 15:30:00 UTC');
});

test('what was used is told when it changed', () => {
  const render = renderer();
  const kinds = [usage, usage, { ...usage, outputTokens: 57 }].map(
    (used) => render({ type: 'usage', usage: used }).length,
  );
  expect(kinds).toEqual([1, 0, 1]);
});

test('a text that is too long for reading is cut, and says so', () => {
  const lines = renderer()({ type: 'text', text: 'x'.repeat(40_000) });
  expect(lines.map(({ text }) => text.length)).toEqual([32 * 1024, expect.any(Number)]);
  expect(lines.at(-1)?.text).toBe('… 7232 more characters on this line');
});

test('colours are those of what it means', () => {
  const paint = (tone: string, text: string): string => `<${tone}>${text}`;
  const lines = (['said', 'did', 'used', 'waits', 'failed'] as const).map((kind) =>
    sessionLine({ kind, text: 'x' }, paint),
  );
  expect(lines).toEqual(['x', '<busy>● x', '<quiet>· x', '<waiting>◐ x', '<bad>✕ x']);
});

test('a log is read by its driver, and shown from its first line to its last', () => {
  const log = [
    'starting',
    '{"type":"tool","name":"Edit","target":"a.ts"}',
    '{"type":"usage","usage":{"inputTokens":1,"outputTokens":2}}',
    '{"type":"problem","message":"no such turn"}',
    'tutti replay: no such turn',
  ].map((text, n) => ({ text, offset: n }));
  const render = renderer();
  const lines = log.flatMap(eventsOf(replayReader())).flatMap(({ event }) => render(event));
  expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'said starting',
    'did Edit a.ts',
    'used 1 tokens in, 2 out',
    'failed no such turn',
  ]);
});
