import { expect, test } from 'vitest';
import type { DriverEvent } from '../../model/driver.ts';
import { readLog } from '../turn-log.ts';
import { claudeReader } from './parse.ts';

/** Lines as the CLI wrote them (2.1.325, and 2.1.197 where it says so), shortened. */
const init = '{"type":"system","subtype":"init","cwd":"/w","session_id":"80f5","tools":["Write"]}';
const text = assistant('{"type":"text","text":"finished"}');
const write = assistant(
  '{"type":"tool_use","id":"toolu_1","name":"Write","input":{"file_path":"/w/a.txt","content":"A"}}',
);
const asked = '{"type":"system","subtype":"init","session_id":"80f5","tools":["StructuredOutput","Write"]}';
const succeeded = result('"subtype":"success","is_error":false,"result":"finished"');

function assistant(block: string, more = '"parent_tool_use_id":null'): string {
  return `{"type":"assistant","message":{"id":"msg_1","model":"claude-opus-5-5","content":[${block}]},${more}}`;
}

function answer(members: string): string {
  return `{"type":"user","message":{"content":[{"tool_use_id":"toolu_1","type":"tool_result",${members}}]}}`;
}

function result(members: string): string {
  return `{"duration_api_ms":176,${members},"total_cost_usd":0.001,"usage":{"input_tokens":100,"cache_creation_input_tokens":7,"cache_read_input_tokens":5,"output_tokens":20},"permission_denials":[],"type":"result"}`;
}

function read(lines: readonly string[], exitCode: number | null, signal: string | null = null) {
  const reader = claudeReader();
  const events: DriverEvent[] = lines.flatMap((line) => reader.line(line));
  return { events, stop: reader.stop({ exitCode, signal, ended: null }) };
}

test('handing over the result is no use of a tool, neither done nor under way', () => {
  const reader = claudeReader();
  const handOver = assistant(
    '{"type":"tool_use","id":"toolu_1","name":"StructuredOutput","input":{"status":"success","path":"a"}}',
  );
  expect(readLog([asked, handOver], reader).toolCalls).toBe(0);
  expect(reader.inFlight?.()).toEqual([]);
  expect(reader.line(handOver)).toEqual([]);
});

test('a turn: what was said, which tools were used on what, and what it cost', () => {
  expect(read([init, write, answer('"content":"ok"'), text, succeeded], 0)).toEqual({
    events: [
      { type: 'conversation', id: '80f5' },
      { type: 'tool', name: 'Write', target: '/w/a.txt' },
      { type: 'files', paths: ['/w/a.txt'] },
      { type: 'text', text: 'finished' },
      { type: 'usage', usage: { inputTokens: 112, outputTokens: 20, costUsd: 0.001 } },
    ],
    stop: 'finished',
  });
});

test.each<[string, readonly string[], number | null, string]>([
  ['exit code 0 without a result, as after an interrupt', [init], 0, 'failed'],
  [
    'a result that is an error, although its subtype is success',
    [result('"subtype":"success","is_error":true')],
    0,
    'failed',
  ],
  ['another subtype', [result('"subtype":"error_max_turns","is_error":false')], 0, 'failed'],
  ['a good result and a bad exit code', [succeeded], 1, 'failed'],
  [
    'a prompt that a hook refused, which the CLI calls a success',
    [
      result(
        '"subtype":"success","is_error":false,"result":"UserPromptSubmit operation blocked by hook: no"',
      ),
    ],
    0,
    'failed',
  ],
  [
    'an earlier good result and a later bad one',
    [succeeded, result('"subtype":"success","is_error":true')],
    0,
    'failed',
  ],
  [
    'an earlier bad result and a later good one',
    [result('"subtype":"success","is_error":true'), succeeded],
    0,
    'finished',
  ],
  [
    'a schema that was asked for, and nothing handed over: a turn that finished without a result',
    [asked, succeeded],
    0,
    'finished',
  ],
  [
    'a schema that was asked for, and something handed over',
    [asked, result('"subtype":"success","is_error":false,"structured_output":{"answer":42}')],
    0,
    'finished',
  ],
  ['an overloaded model', [result('"subtype":"success","is_error":true,"api_error_status":529')], 1, 'limit'],
  [
    'a usage limit without a status',
    [result('"subtype":"success","is_error":true,"result":"Claude AI usage limit reached|1763200000"')],
    1,
    'limit',
  ],
  [
    'an answer that speaks of a limit',
    [result('"subtype":"success","is_error":false,"result":"You\'ve hit your limit"')],
    0,
    'finished',
  ],
  ['a usage limit', [result('"subtype":"success","is_error":true,"api_error_status":429')], 1, 'limit'],
  ['a program that is not there', [], 127, 'unavailable'],
])('%s is read for what it is', (_, lines, exitCode, stop) => {
  expect(read(lines, exitCode).stop).toBe(stop);
});

test('a signal is a crash, whatever was said before', () => {
  expect(read([succeeded], null, 'SIGKILL').stop).toBe('crashed');
});

test('what went wrong is told in the words of the CLI', () => {
  const problems = (line: string): readonly DriverEvent[] =>
    claudeReader()
      .line(line)
      .filter(({ type }) => type !== 'usage');
  expect(problems(result('"subtype":"success","is_error":true,"result":"API Error: 500"'))).toEqual([
    { type: 'problem', message: 'API Error: 500' },
  ]);
  expect(problems(result('"subtype":"error_max_turns","is_error":true,"errors":["too many turns"]'))).toEqual(
    [{ type: 'problem', message: 'too many turns' }],
  );
  expect(problems('No conversation found with session ID: 6663')).toEqual([
    { type: 'problem', message: 'No conversation found with session ID: 6663' },
  ]);
  expect(
    problems(
      '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"PreToolUse:Write hook error: [./guard.sh]: no writes here\\n","is_error":true,"tool_use_id":"toolu_7_0"}]}}',
    ),
  ).toEqual([{ type: 'blocked', tool: 'Write', reason: '[./guard.sh]: no writes here' }]);
  expect(
    problems('{"type":"system","subtype":"api_retry","attempt":2,"max_retries":10,"error_status":529}'),
  ).toEqual([{ type: 'retrying', reason: 'the model answered 529; attempt 2 of 10' }]);
  expect(
    problems('{"type":"system","subtype":"api_retry","attempt":1,"max_retries":2,"retry_delay_ms":589}'),
  ).toEqual([{ type: 'retrying', reason: 'the model could not be reached; attempt 1 of 2 in 0.6 s' }]);
});

test('a refused key and a missing sign-in are told at the first retry and in the result', () => {
  const events = (line: string) =>
    claudeReader()
      .line(line)
      .filter(({ type }) => type === 'sign-in');
  for (const status of [401, 403]) {
    // The turn is ended for it: the CLI does not ask again.
    expect(
      claudeReader().line(`{"type":"system","subtype":"api_retry","attempt":1,"error_status":${status}}`),
    ).toEqual([{ type: 'sign-in', reason: `the model answered ${status}` }]);
  }
  const failedWith = (words: string, status: number | null) =>
    JSON.stringify({ type: 'result', is_error: true, api_error_status: status, result: words });
  expect(events(failedWith('Not logged in · Please run /login', null))).toEqual([
    { type: 'sign-in', reason: 'Not logged in · Please run /login' },
  ]);
  expect(events(failedWith('API Error: 403 forbidden', 403))).toHaveLength(1);
  // The proxy of a strict sandbox says it, and no sign-in helps.
  expect(events(failedWith('API Error: 403 Connection blocked by network allowlist', 403))).toEqual([]);
  // Control: what passes by itself is no refusal.
  expect(events('{"type":"system","subtype":"api_retry","attempt":1,"error_status":529}')).toEqual([]);
  expect(events(failedWith('API Error: 500 no luck', 500))).toEqual([]);
});

test('a tool that was not permitted is told once, when it happens or at the end, and wrote nothing', () => {
  const now =
    '{"type":"system","subtype":"permission_denied","tool_name":"Write","tool_use_id":"toolu_1","message":"Permission to use Write has been denied. IMPORTANT: You may not."}';
  const atEnd =
    '{"type":"result","permission_denials":[{"tool_name":"Write","tool_use_id":"toolu_1"},{"tool_name":"Bash","tool_use_id":"toolu_2"},{}]}';
  const { events } = read([write, now, answer('"is_error":true,"content":"denied"'), atEnd], 0);
  expect(events.filter(({ type }) => type !== 'usage')).toEqual([
    { type: 'tool', name: 'Write', target: '/w/a.txt' },
    {
      type: 'denied',
      tool: 'Write',
      target: '/w/a.txt',
      reason: 'Permission to use Write has been denied.',
      call: true,
    },
    { type: 'denied', tool: 'Bash', reason: '' },
  ]);
});

test('a tool that a person denied is told as denied by a person', () => {
  const askedFor = (number: number) =>
    `{"type":"waiting","why":"permission","request":{"number":${number},"tool":"Bash","target":"npm publish","input":"","options":["allow","deny"]}}`;
  const answered = (number: number, said: string) =>
    `{"type":"answered","request":${number},"answer":"${said}"}`;
  const atEnd =
    '{"type":"result","permission_denials":[{"tool_name":"Bash","tool_use_id":"toolu_1"},{"tool_name":"Bash","tool_use_id":"toolu_2"}]}';
  const lines = [askedFor(1), answered(1, 'deny'), askedFor(2), answered(2, 'allow'), atEnd];
  const denied = read(lines, 0).events.filter(({ type }) => type === 'denied');
  expect(denied).toEqual([
    { type: 'denied', tool: 'Bash', reason: 'a person denied it' },
    // Control: a person permitted the other one, so that something else denied it.
    { type: 'denied', tool: 'Bash', reason: '' },
  ]);
});

test('what was handed over by a tool of the CLI can be had once everything was read', () => {
  const reader = claudeReader();
  reader.line(asked);
  expect(reader.handedOver?.()).toBeNull();
  const events = reader.line(succeeded);
  expect(events.at(-1)).toMatchObject({ message: 'it did not hand over the result that was asked for' });
  reader.line(result('"subtype":"success","is_error":false,"structured_output":{"answer":42}'));
  expect(reader.handedOver?.()).toEqual({ answer: 42 });
});

test('a turn whose results the CLI refused until it gave up has finished, and says why they were refused', () => {
  const call = (id: string) =>
    `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"${id}","name":"StructuredOutput","input":{}}]}}`;
  const answerTo = (id: string, more: string) =>
    `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"${id}",${more}}]}}`;
  const refusal =
    '"is_error":true,"content":"Output does not match required schema: root: must have required property"';
  const gaveUp = result(
    '"subtype":"error_max_structured_output_retries","is_error":true,"errors":["after 5 attempts"]',
  );
  const reader = claudeReader();
  const failed = [call('a'), answerTo('a', refusal)].flatMap((line) => reader.line(line));
  const reason = 'Output does not match required schema: root: must have required property';
  expect(failed).toEqual([{ type: 'tool-failed', name: 'StructuredOutput', target: '', reason }]);
  reader.line(gaveUp);
  expect(reader.refusedResult?.()).toBe(reason);
  expect(reader.stop({ exitCode: 1, signal: null, ended: null })).toBe('finished');
  // Control: a later result that the CLI accepts counts.
  expect([call('b'), answerTo('b', '"content":"ok"')].flatMap((line) => reader.line(line))).toEqual([]);
  expect(reader.refusedResult?.()).toBeNull();
});

test('a limit stays, with the time of its end, although the CLI adds words of its own', () => {
  const rejected =
    '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1763200000},"uuid":"x"}';
  const own =
    '{"type":"assistant","message":{"model":"<synthetic>","content":[{"type":"text","text":"API Error: Request rejected (429)"}]}}';
  const rejection = result('"subtype":"success","is_error":true,"api_error_status":429,"result":"no"');
  const old = result('"subtype":"success","is_error":true,"result":"usage limit reached|1763200000"');
  expect(readLog([rejected, own], claudeReader()).limit).toEqual({ resetAt: 1_763_200_000_000 });
  expect(readLog([rejected, rejection], claudeReader()).limit).toEqual({ resetAt: 1_763_200_000_000 });
  expect(readLog([rejection], claudeReader()).limit).toEqual({ resetAt: null });
  expect(readLog([old], claudeReader()).limit).toEqual({ resetAt: 1_763_200_000_000 });
  expect(readLog([rejected, text], claudeReader()).limit).toBeNull();
  const allowed = '{"type":"rate_limit_event","rate_limit_info":{"status":"allowed"}}';
  expect(claudeReader().line(allowed)).toEqual([]);
});

test('what a subagent says is not the agent’s word, and what it does is counted', () => {
  const inside = '"parent_tool_use_id":"toolu_1"';
  expect(read([assistant('{"type":"text","text":"psst"}', inside)], 0).events).toEqual([]);
  const tool = assistant('{"type":"tool_use","name":"Bash","input":{"command":"ls"}}', inside);
  expect(read([tool], 0).events).toEqual([{ type: 'tool', name: 'Bash', target: 'ls' }]);
});

test('a continued conversation is paid for once: only what came since counts, over all results', () => {
  const since = (cost: number): string =>
    `{"type":"result","subtype":"success","is_error":false,"total_cost_usd":9,"usage":{"input_tokens":1},"model_usage_since_last_result":{"a":{"inputTokens":100,"outputTokens":20,"cacheReadInputTokens":3,"costUSD":${cost}},"b":{"inputTokens":1,"costUSD":0.25}}}`;
  expect(readLog([since(0.5), since(1)], claudeReader()).usage).toEqual({
    inputTokens: 208,
    outputTokens: 40,
    costUsd: 2,
  });
});

test('what is not known, torn or strange is left alone', () => {
  const lines = [
    '{"type":"new_thing"}',
    '',
    '{"type":"assistant"}',
    '{"type":"assistant","message":{"content":[5]}}',
  ];
  expect(read(lines, 0).events).toEqual([]);
  expect(read(['{"type":"result","usage":5}'], 0).events).toEqual([
    { type: 'usage', usage: { inputTokens: null, outputTokens: null, costUsd: null } },
  ]);
  expect(read(['{"torn'], 0).events).toEqual([{ type: 'problem', message: '{"torn' }]);
});

test('an overload is no usage limit', () => {
  const refused = (status: number): string =>
    result(`"subtype":"success","is_error":true,"api_error_status":${status}`);
  expect(readLog([refused(529)], claudeReader()).limit).toEqual({ resetAt: null, kind: 'overload' });
  expect(readLog([refused(429)], claudeReader()).limit).toEqual({ resetAt: null });
});

test('a call that failed is told with the first line of the reason, one that was denied only as denied', () => {
  const failed = answer(
    '"is_error":true,"content":"<tool_use_error>File has not been read yet. Read it first.\\nMore</tool_use_error>"',
  );
  expect(read([write, failed], 0).events).toEqual([
    { type: 'tool', name: 'Write', target: '/w/a.txt' },
    {
      type: 'tool-failed',
      name: 'Write',
      target: '/w/a.txt',
      reason: 'File has not been read yet. Read it first.',
    },
  ]);
  // Older versions tell the denial at the end only.
  const denied = answer('"is_error":true,"content":"Permission to use Write has been denied."');
  const atEnd = '{"type":"result","permission_denials":[{"tool_name":"Write","tool_use_id":"toolu_1"}]}';
  expect(read([write, denied, atEnd], 0).events.map(({ type }) => type)).toEqual(['tool', 'usage', 'denied']);
});
