import { expect, test } from 'vitest';
import type { DriverEvent } from '../../model/driver.ts';
import { readLog } from '../turn-log.ts';
import { limitOf } from './limit-text.ts';
import { codexReader } from './parse.ts';

/** Lines as the CLI wrote them (0.166.0). */
const thread = '{"type":"thread.started","thread_id":"01a1df69-8bb6-7520-b3d2-ddc6e6704d92"}';
const started = '{"type":"turn.started"}';
const completed =
  '{"type":"turn.completed","usage":{"input_tokens":200,"cached_input_tokens":60,"cache_write_input_tokens":0,"output_tokens":40,"reasoning_output_tokens":10}}';
const said = '{"type":"item.completed","item":{"id":"item_3","type":"agent_message","text":"done"}}';
const command = (type: string, more: string): string =>
  `{"type":"item.${type}","item":{"id":"item_2","type":"command_execution","command":"/bin/bash -lc 'echo hi > a.txt'","aggregated_output":"",${more}}}`;
const patch = (type: string, status: string): string =>
  `{"type":"item.${type}","item":{"id":"item_0","type":"file_change","changes":[{"path":"/w/a.txt","kind":"update"},{"path":"/w/new.txt","kind":"add"}],"status":"${status}"}}`;
const violation =
  '2026-11-15T13:38:04.207100Z  WARN codex_sandboxing::violation: recorded sandbox violation: resource=filesystem backend=linux_sandbox reason=read_only_file_system path=unknown';
const noHelpers =
  'WARNING: proceeding, even though we could not create PATH aliases: Refusing to create helper binaries under temporary dir "/tmp" (codex_home: AbsolutePathBuf("/tmp/codexch"))';
const failed = (message: string): readonly string[] => [
  JSON.stringify({ type: 'error', message }),
  JSON.stringify({ type: 'turn.failed', error: { message } }),
];

function reader() {
  return codexReader('workspace-write');
}

function read(lines: readonly string[], exitCode: number | null, signal: string | null = null) {
  const found = reader();
  const events: DriverEvent[] = lines.flatMap((line) => found.line(line));
  return { events, stop: found.stop({ exitCode, signal, ended: null }) };
}

test('a turn: its conversation, what was said and done, on which files, and what it used', () => {
  const lines = [
    thread,
    '{"type":"item.completed","item":{"id":"item_9","type":"error","message":"Model metadata for `gpt-5-codex` not found. Defaulting to fallback metadata; this can degrade performance and cause issues."}}',
    started,
    command('started', '"exit_code":null,"status":"in_progress"'),
    command('completed', '"exit_code":0,"status":"completed"'),
    patch('started', 'in_progress'),
    patch('completed', 'completed'),
    said,
    completed,
  ];
  expect(read(lines, 0)).toEqual({
    events: [
      { type: 'conversation', id: '01a1df69-8bb6-7520-b3d2-ddc6e6704d92' },
      { type: 'tool', name: 'command_execution', target: "'echo hi > a.txt'" },
      { type: 'tool', name: 'file_change', target: '/w/a.txt /w/new.txt' },
      { type: 'files', paths: ['/w/a.txt', '/w/new.txt'] },
      { type: 'text', text: 'done' },
      { type: 'usage', usage: { inputTokens: 200, outputTokens: 40, cachedInputTokens: 60, costUsd: null } },
    ],
    stop: 'finished',
  });
});

test('tools that only end are told too, and files only when they were written', () => {
  const item = (more: string): string => `{"type":"item.completed","item":{"id":"i",${more}}}`;
  expect(read([item('"type":"web_search","query":"tmux"')], 0).events).toEqual([
    { type: 'tool', name: 'web_search', target: 'tmux' },
  ]);
  expect(
    read([item('"type":"mcp_tool_call","server":"lab","tool":"ping","status":"completed"')], 0).events,
  ).toEqual([{ type: 'tool', name: 'lab.ping', target: '' }]);
  expect(read([patch('started', 'in_progress'), patch('completed', 'failed')], 0).events).toEqual([
    { type: 'tool', name: 'file_change', target: '/w/a.txt /w/new.txt' },
    { type: 'tool-failed', name: 'file_change', target: '/w/a.txt /w/new.txt', reason: '' },
  ]);
  expect(read([command('completed', '"exit_code":2,"status":"failed"')], 0).events.at(-1)).toMatchObject({
    type: 'tool-failed',
    reason: 'exit code 2',
  });
});

test.each<[string, readonly string[], number, string]>([
  ['exit code 0 without the end of a turn', [thread, started, said], 0, 'failed'],
  ['a completed turn and a bad exit code', [started, completed], 1, 'failed'],
  ['a completed turn and a failed one after it', [started, completed, started, ...failed('no')], 0, 'failed'],
  [
    'a failed turn and a completed one after it',
    [started, ...failed('no'), started, completed],
    0,
    'finished',
  ],
  ['a turn that began after the last completed one', [started, completed, started], 0, 'failed'],
  ['a wrong flag', ["error: unexpected argument '--nonsense' found"], 2, 'failed'],
  ['a program that is not there', [], 127, 'unavailable'],
  ['a wrong key', failed('unexpected status 401 Unauthorized: scripted, url: http://x'), 1, 'failed'],
  [
    'a broken model',
    failed('We’re currently experiencing high demand, which may cause temporary errors.'),
    1,
    'failed',
  ],
  ['too many requests', failed('exceeded retry limit, last status: 429 Too Many Requests'), 1, 'limit'],
  ['an overload', failed('unexpected status 529 <unknown status code>: scripted, url: http://x'), 1, 'limit'],
  [
    'a model without room',
    failed('Selected model is at capacity. Please try a different model.'),
    1,
    'limit',
  ],
  ['nothing left to spend', failed('Quota exceeded. Check your plan and billing details.'), 1, 'limit'],
])('%s is read for what it is', (_, lines, exitCode, stop) => {
  expect(read(lines, exitCode).stop).toBe(stop);
});

test('a refused key is told once, and other errors are not taken for one', () => {
  const signIns = (lines: readonly string[]) =>
    read(lines, 1).events.filter(({ type }) => type === 'sign-in');
  expect(signIns(failed('unexpected status 403 Forbidden: scripted, url: http://x'))).toEqual([
    { type: 'sign-in', reason: 'unexpected status 403 Forbidden: scripted, url: http://x' },
  ]);
  expect(signIns(failed('Missing environment variable: `OPENAI_API_KEY`.').slice(1))).toHaveLength(1);
  expect(signIns(failed('unexpected status 500: scripted'))).toEqual([]);
});

test('a signal is a crash, whatever was said before', () => {
  expect(read([started, completed], null, 'SIGKILL').stop).toBe('crashed');
});

test('what went wrong is told once, in the words of the CLI, and its own retries are no problem yet', () => {
  const again = '{"type":"error","message":"Reconnecting... 1/2 (stream disconnected before completion)"}';
  expect(read([again, ...failed('stream disconnected before completion')], 1).events).toEqual([
    { type: 'retrying', reason: 'Reconnecting... 1/2 (stream disconnected before completion)' },
    { type: 'problem', message: 'stream disconnected before completion' },
  ]);
  expect(read(failed('a').slice(1), 1).events).toEqual([{ type: 'problem', message: 'a' }]);
  const resume =
    'Error: thread/resume: thread/resume failed: no rollout found for thread id 01a1 (code -32600)';
  expect(read([resume], 1).events).toEqual([{ type: 'problem', message: resume }]);
  const setting =
    '{"type":"item.completed","item":{"id":"item_0","type":"error","message":"Codex is ignoring 1 unrecognized configuration setting."}}';
  expect(read([setting], 0).events).toEqual([
    { type: 'problem', message: 'Codex is ignoring 1 unrecognized configuration setting.' },
  ]);
});

test('what the sandbox and the rules refuse is told, also where the CLI has no event for it', () => {
  const router = (error: string): string =>
    `2026-11-15T13:38:06.801998Z ERROR codex_core::tools::router: error=${error}`;
  const patched =
    'patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings';
  const asked = 'approval policy is Never; reject command — you cannot ask for escalated permissions';
  expect(read([violation, router(patched), router(asked)], 0).events).toEqual([
    {
      type: 'denied',
      tool: 'command_execution',
      reason: 'resource=filesystem backend=linux_sandbox reason=read_only_file_system path=unknown',
    },
    { type: 'denied', tool: 'file_change', reason: patched },
    { type: 'denied', tool: 'command_execution', reason: asked },
  ]);
  expect(read([command('completed', '"exit_code":null,"status":"declined"')], 0).events).toContainEqual({
    type: 'denied',
    tool: 'command_execution',
    target: "'echo hi > a.txt'",
    reason: 'it was declined',
    call: true,
  });
  expect(read([router('unsupported call: update_plan')], 0).events).toEqual([]);
  const socket =
    '2026-11-15T13:38:46.037608Z ERROR codex_api::endpoint::responses_websocket: failed to connect to Responses WebSocket';
  expect(read([socket, socket.replace('ERROR', ' WARN')], 0).events).toHaveLength(1);
});

test('a CLI whose sandbox refuses everything has not finished; without helpers it may still work', () => {
  const refused = violation.replace('read_only_file_system', 'policy_denied');
  const trapped = read(
    [noHelpers, thread, started, refused, patch('completed', 'failed'), said, completed],
    0,
  );
  expect(trapped.stop).toBe('failed');
  expect(trapped.events[0]).toEqual({
    type: 'problem',
    message: expect.stringContaining('set TMPDIR elsewhere: WARNING'),
  });
  const trap = reader();
  for (const line of [noHelpers, thread, started, refused, said, completed]) trap.line(line);
  expect(trap.helpless?.()).toMatch(
    /^the CLI could not create the helpers of its sandbox, .* set CODEX_HOME to a folder outside of it/,
  );
  const did = command('completed', '"exit_code":0,"status":"completed"');
  expect(read([noHelpers, started, refused, did, completed], 0).stop).toBe('finished');
  expect(read([noHelpers, started, said, completed], 0).stop).toBe('finished');
  expect(read([started, refused, said, completed], 0).stop).toBe('finished');
  const free = codexReader('danger-full-access');
  for (const line of [noHelpers, started, refused, completed]) free.line(line);
  expect(free.stop({ exitCode: 0, signal: null, ended: null })).toBe('finished');
  expect(free.helpless?.()).toBeNull();
});

test('a limit stays with the time of its end, which is told to the minute in local time', () => {
  const lines = failed(
    'You’ve hit your usage limit. Visit https://chatgpt.com/settings/usage to purchase more credits or try again at Nov 16th, 2026 3:33 AM.',
  );
  expect(readLog([thread, ...lines], reader()).limit).toEqual({
    resetAt: new Date(2026, 10, 16, 3, 34).getTime(),
  });
  expect(
    readLog([thread, ...failed('You’ve hit your usage limit. Try again later.')], reader()).limit,
  ).toEqual({
    resetAt: null,
  });
});

test('a time without its day is the next one after the conversation began, which its name tells', () => {
  const at = (text: string, since: Date | null): Date | null => {
    const reset = limitOf(
      `You’ve hit your usage limit. Try again at ${text}.`,
      since?.getTime() ?? null,
    )?.resetAt;
    return typeof reset === 'number' ? new Date(reset) : null;
  };
  const noon = new Date(2026, 10, 15, 12, 0, 30);
  expect(at('3:33 PM', noon)).toEqual(new Date(2026, 10, 15, 15, 34));
  expect(at('12:05 AM', noon)).toEqual(new Date(2026, 10, 16, 0, 6));
  expect(at('12:00 PM', noon)).toEqual(new Date(2026, 10, 15, 12, 1));
  expect(at('11:59 AM', noon)).toEqual(new Date(2026, 10, 16, 12, 0));
  expect(at('3:33 PM', null)).toBeNull();
  expect(at('Foo 16th, 2026 3:33 AM', noon)).toBeNull();
  const today = failed('You’ve hit your usage limit. Try again at 11:58 PM.');
  const began = new Date(0x01a1df698bb6);
  const { resetAt } = readLog([thread, ...today], reader()).limit ?? { resetAt: null };
  expect(resetAt).toBe(new Date(began.getFullYear(), began.getMonth(), began.getDate(), 23, 59).getTime());
  const odd = thread.replace('-7520-', '-4520-');
  expect(readLog([odd, ...today], reader()).limit).toEqual({ resetAt: null });
});

test('what is not known, torn or strange is left alone', () => {
  const lines = [
    '',
    '{"type":"new_thing"}',
    '{"type":"thread.started"}',
    '{"type":"item.completed"}',
    '{"type":"item.completed","item":{"id":"i","type":"todo_list","items":[]}}',
    '{"type":"item.completed","item":{"id":"i","type":"reasoning","text":"hm"}}',
    '{"type":"item.updated","item":{"id":"i","type":"agent_message","text":"half"}}',
  ];
  expect(read(lines, 0).events).toEqual([]);
  expect(read(['{"type":"turn.completed","usage":{"input_tokens":"x"}}'], 0).events).toEqual([
    {
      type: 'usage',
      usage: { inputTokens: null, outputTokens: null, cachedInputTokens: null, costUsd: null },
    },
  ]);
  expect(read(['{"type":"turn.completed"}'], 0).stop).toBe('finished');
  expect(read(['{"torn'], 0).events).toEqual([{ type: 'problem', message: '{"torn' }]);
});

test.each([
  ['unexpected status 529 <unknown status code>: scripted, url: http://x', 'overload'],
  ['exceeded retry limit, last status: 503 Service Unavailable', 'overload'],
  ['Selected model is at capacity. Please try a different model.', 'overload'],
  ['exceeded retry limit, last status: 429 Too Many Requests', undefined],
])('%s is a limit of kind %s', (message, kind) => {
  expect(readLog(failed(message), reader()).limit?.kind).toBe(kind);
});
