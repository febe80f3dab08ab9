import { expect, test } from 'vitest';
import { err, ok } from '../lib/result.ts';
import type { DriverEvent, DriverReader, ProcessEnd } from '../model/driver.ts';
import { failure } from '../model/failure.ts';
import type { AgentResult } from '../model/turn.ts';
import { unknownUsage } from '../model/usage.ts';
import { assembleTurn, type EndedTurn } from './assemble-turn.ts';
import { commandReader } from './command/parse.ts';
import { replayReader } from './replay/parse.ts';

const clean: ProcessEnd = { exitCode: 0, signal: null, ended: null };
const account: AgentResult = {
  status: 'success',
  summary: 'done',
  artifacts: [],
  notes: [],
  questions: [],
  usage: null,
};

function turn(rest: Partial<EndedTurn>): ReturnType<typeof assembleTurn> {
  return assembleTurn({
    spec: { agent: 'coder', driver: 'd', timeoutMs: 60_000 },
    sessionId: 's1',
    end: clean,
    lines: ['working', 'done'],
    reader: commandReader(),
    result: ok(account),
    ...rest,
  });
}

/** A driver that reads each line as the event it is. */
function scripted(stop: 'finished' | 'limit'): DriverReader {
  return { line: (line) => [JSON.parse(line) as DriverEvent], stop: () => stop };
}

test('success needs all three: it finished, with exit code 0, and its result says so', () => {
  expect(turn({})).toEqual({
    outcome: 'SUCCESS',
    stop: 'finished',
    sessionId: 's1',
    result: account,
    text: 'working\ndone',
    toolCalls: 0,
    denials: 0,
    conversation: null,
    hookBlocks: 0,
    usage: { inputTokens: null, outputTokens: null, costUsd: null },
    exitCode: 0,
    failure: null,
    resetAt: null,
  });
  expect(turn({ result: ok(null) })).toMatchObject({ outcome: 'SUCCESS', failure: null });
});

/** What a log tells of so many tools. */
function tools(count: number): readonly string[] {
  return Array.from({ length: count }, () => JSON.stringify({ type: 'tool', name: 'Read', target: 'a' }));
}

test.each<[what: string, rest: Partial<EndedTurn>, outcome: 'SUCCESS' | 'FAILURE']>([
  ['no tool and no result', { lines: [], result: ok(null) }, 'FAILURE'],
  ['one tool and no result', { lines: tools(1), result: ok(null) }, 'SUCCESS'],
  ['no tool and a result', { lines: [], result: ok(account) }, 'SUCCESS'],
  ['no tool, where words are enough', { lines: [], result: ok(null), spec: talker(0) }, 'SUCCESS'],
  ['fewer tools than are needed', { lines: tools(2), result: ok(null), spec: talker(3) }, 'FAILURE'],
  ['as many as are needed', { lines: tools(3), result: ok(null), spec: talker(3) }, 'SUCCESS'],
  ['no tool that a log would tell', { lines: [], result: ok(null), tellsTools: false }, 'SUCCESS'],
])('an agent must have done something or hand something over: %s', (_, rest, outcome) => {
  const reader = scripted('finished');
  expect(turn({ reader, tellsTools: true, ...rest })).toMatchObject({
    outcome,
    stop: outcome === 'SUCCESS' ? 'finished' : 'no-result',
  });
});

function talker(minTools: number): EndedTurn['spec'] {
  return { agent: 'coder', driver: 'd', timeoutMs: 60_000, minTools };
}

test('that nothing was done is said with what can be done about it, and hides no other failure', () => {
  const idle = { reader: scripted('finished'), tellsTools: true, lines: [], result: ok(null) };
  expect(turn(idle).failure).toEqual({
    outcome: 'FAILURE',
    reason: 'no-result',
    message:
      'agent coder used no tool and handed over no result: if words are enough, say so in the file of the agent: min_tools: 0',
  });
  const some = turn({ ...idle, lines: tools(1), spec: talker(2) });
  expect(some.failure?.message).toContain('used 1 of at least 2 tools');
  expect(turn({ ...idle, reader: scripted('limit') })).toMatchObject({
    outcome: 'LIMIT_PAUSED',
    stop: 'limit',
  });
  const owed = err(failure('invalid-result', 'it is no JSON'));
  expect(turn({ ...idle, result: owed })).toMatchObject({ failure: { reason: 'invalid-result' } });
  const exit = { ...clean, exitCode: 3 };
  expect(turn({ ...idle, reader: replayReader(), end: exit })).toMatchObject({ failure: { reason: 'exit' } });
});

test('a result that says success does not outweigh an exit code', () => {
  expect(turn({ end: { ...clean, exitCode: 3 } })).toMatchObject({
    outcome: 'FAILURE',
    stop: 'failed',
    failure: {
      reason: 'exit',
      message: 'agent coder ended with exit code 3',
      evidence: { output: 'working\ndone' },
    },
  });
});

test.each([
  ['failed', 'FAILURE'],
  ['blocked', 'HUMAN_INPUT'],
  ['needs_refinement', 'NEEDS_REFINEMENT'],
  ['needs_escalation', 'NEEDS_ESCALATION'],
] as const)('an agent that reports %s has the outcome %s, whatever its exit code', (status, outcome) => {
  for (const exitCode of [0, 9]) {
    const ended = turn({ end: { ...clean, exitCode }, result: ok({ ...account, status }) });
    expect(ended).toMatchObject({
      outcome,
      failure: { reason: 'reported', message: `agent coder reports ${status}: done` },
    });
  }
});

test('an agent that gives no reason is quoted as giving none', () => {
  const ended = turn({ result: ok({ ...account, status: 'failed', summary: '' }) });
  expect(ended.failure?.message).toBe('agent coder reports failed: it gives no reason');
});

test('an agent that only asks is quoted with its question', () => {
  const questions = [{ text: 'Which\ncolour?' }, { text: 'Why?' }];
  const ended = turn({ result: ok({ ...account, status: 'blocked', summary: '', questions }) });
  expect(ended.failure?.message).toBe('agent coder reports blocked: it asks: Which colour?');
});

test('a result that is owed and not there is a failure even after exit code 0', () => {
  const missing = failure('no-result', 'none');
  expect(turn({ result: err(missing) })).toMatchObject({
    outcome: 'FAILURE',
    stop: 'no-result',
    result: null,
    failure: missing,
  });
});

test.each([
  [{ exitCode: null, signal: null, ended: 'timeout' }, 'timeout', 'TIMEOUT', 'did not end within 1m 00s'],
  [{ exitCode: null, signal: 'SIGKILL', ended: 'killed' }, 'killed', 'INTERRUPTED', 'was ended before'],
  [{ exitCode: null, signal: 'SIGSEGV', ended: null }, 'crashed', 'FAILURE', 'was ended by SIGSEGV'],
  [{ exitCode: null, signal: null, ended: null }, 'crashed', 'FAILURE', 'an unknown cause'],
  [{ exitCode: 127, signal: null, ended: null }, 'unavailable', 'UNAVAILABLE', 'cannot be run'],
] as const)('the end %j stops as %s, %s', (end, stop, outcome, words) => {
  const ended = turn({ end });
  expect(ended).toMatchObject({ stop, outcome });
  expect(ended.failure?.message).toContain(words);
});

test('a time limit that is met while the CLI asks its model again names the reason, unless work followed', () => {
  const reader = (): DriverReader => ({
    line: (line) =>
      line === 'works' ? [{ type: 'text', text: 'hello' }] : [{ type: 'retrying', reason: line }],
    stop: () => 'timeout',
  });
  const late = { exitCode: null, signal: null, ended: 'timeout' } as const;
  const ended = (...lines: string[]) => turn({ end: late, lines, reader: reader() }).failure?.message;
  expect(ended('529', '429 slow\ndown')).toBe(
    'agent coder did not end within 1m 00s: its CLI asked the model again (2 so far): 429 slow down',
  );
  expect(ended('429', 'works')).toBe('agent coder did not end within 1m 00s');
});

test('no turn of a cassette is its own kind of failure, and says which turn came nearest', () => {
  const lines = [
    '{"type":"problem","message":"no turn of c.yaml fits"}',
    'tutti replay: no turn of c.yaml fits',
  ];
  const reader = replayReader();
  expect(turn({ end: { ...clean, exitCode: 70 }, lines, reader, result: ok(null) })).toMatchObject({
    outcome: 'FAILURE',
    failure: { reason: 'unmatched', message: 'no turn of c.yaml fits' },
  });
  // Control: the exit code alone is only an exit code.
  expect(turn({ end: { ...clean, exitCode: 70 }, result: ok(null) }).failure?.reason).toBe('exit');
});

test('a refused sign-in names what to do, also where the process was ended for it', () => {
  const refused = '{"type":"sign-in","reason":"the model answered 401"}';
  const killed: ProcessEnd = { exitCode: null, signal: 'SIGTERM', ended: 'killed' };
  const ended = turn({ end: killed, lines: [refused], reader: replayReader(), signInAdvice: 'set A_KEY' });
  expect(ended).toMatchObject({
    stop: 'sign-in',
    outcome: 'UNAVAILABLE',
    failure: { reason: 'sign-in', message: expect.stringContaining('401; set A_KEY') as string },
  });
  expect(turn({ end: killed, lines: [refused], reader: replayReader() }).failure?.message).toContain(
    'its key',
  );
  // Controls: an agent that works again was not refused, and a deadline stays one.
  const worked = [refused, '{"type":"text","text":"done"}'];
  expect(turn({ end: killed, lines: worked, reader: replayReader() }).stop).toBe('killed');
  const late: ProcessEnd = { ...killed, ended: 'timeout' };
  expect(turn({ end: late, lines: [refused], reader: replayReader() }).stop).toBe('timeout');
});

test('a failed turn names the tools it was not permitted to use, and where to allow them', () => {
  const lines = [
    '{"type":"retrying","reason":"busy"}',
    '{"type":"denied","tool":"Bash","reason":"no"}',
    '{"type":"denied","tool":"Bash","reason":"no"}',
  ];
  const denied = (permissionSetting?: EndedTurn['permissionSetting']) =>
    turn({
      end: { ...clean, exitCode: 3 },
      lines,
      reader: replayReader(),
      result: ok(null),
      permissionSetting,
    });
  expect(denied()).toMatchObject({ denials: 2, deniedTools: ['Bash'], retries: 1 });
  for (const setting of ['allowed_tools', 'permissions', 'sandbox'] as const) {
    expect(denied(setting).failure?.message).toContain(
      `not permitted to use Bash: allow what it needs in drivers.d.${setting} in tutti.yaml, or in \`tools:\` of agent`,
    );
  }
  expect(denied().failure?.message).toMatch(/allow what it needs in `tools:` of agent \S+$/);
  const planner = turn({
    spec: { agent: 'logic-architect', driver: 'd', timeoutMs: 1000, role: 'planner' },
    end: { ...clean, exitCode: 3 },
    lines,
    reader: replayReader(),
    result: ok(null),
    permissionSetting: 'allowed_tools',
  });
  expect(planner.failure?.message).toMatch(/not permitted to use Bash, which planning does not need$/);
  // Control: without a denial there is nothing to allow.
  const plain = turn({ end: { ...clean, exitCode: 3 }, result: ok(null) });
  expect(plain.failure?.message).not.toContain('permitted');
  expect(plain).not.toHaveProperty('deniedTools');
});

test('a failed turn that was denied a path outside its folders says where it may write', () => {
  const lines = [
    '{"type":"denied","tool":"Write","target":"/etc/hosts","reason":"no"}',
    '{"type":"denied","tool":"Edit","target":"/etc/passwd","reason":"no"}',
  ];
  const denied = (more: Partial<EndedTurn>) =>
    turn({
      end: { ...clean, exitCode: 3 },
      lines,
      reader: replayReader(),
      result: ok(null),
      permissionSetting: 'allowed_tools',
      folders: { workspace: '/w', writable: ['/w', '/s'] },
      ...more,
    });
  const ended = denied({});
  expect(ended.deniedUses).toEqual(['Write /etc/hosts', 'Edit /etc/passwd']);
  expect(ended.failure?.message).toMatch(
    /not permitted to use Write \/etc\/hosts, Edit \/etc\/passwd: it may write only below \/w; have its prompt name a path there, or give a session the directory: tutti session create --add-dir \/etc$/,
  );
  // No directory can be added for a planner.
  const spec = { agent: 'p', driver: 'd', timeoutMs: 1000, role: 'planner' } as const;
  const folders = { workspace: '/w', writable: ['/plan'] };
  expect(denied({ spec, folders }).failure?.message).toMatch(
    /it may write only below \/plan; have its prompt name a path there$/,
  );
  // The controls: a use inside, or a command, is allowed by settings.
  for (const target of ['/w/a.ts', 'rm x']) {
    const line = JSON.stringify({ type: 'denied', tool: 'Write', target, reason: 'no' });
    expect(denied({ lines: [...lines, line] }).failure?.message).toContain('allow what it needs in');
  }
});

test('a CLI that refused everything for lack of its helpers is the reason, not what its agent reports', () => {
  const reader = {
    ...scripted('finished'),
    stop: () => 'failed' as const,
    helpless: () => 'no helpers: set X',
  };
  const reported = {
    status: 'failed',
    summary: 'a step was not possible',
    artifacts: [],
    notes: [],
  } as const;
  const result = ok({ ...reported, questions: [], usage: null });
  const lines = ['{"type":"denied","tool":"Bash","reason":""}'];
  expect(turn({ lines, reader, result })).toMatchObject({
    outcome: 'UNAVAILABLE',
    failure: { reason: 'unavailable', message: 'agent coder could do nothing: no helpers: set X' },
  });
});

test('a call that was denied is no used tool, and a denial within a call takes none away', () => {
  const call = '{"type":"tool","name":"Write","target":"a"}';
  const denied = '{"type":"denied","tool":"Write","reason":"","call":true}';
  const within = '{"type":"denied","tool":"Write","reason":""}';
  const told = (...lines: readonly string[]) =>
    turn({ lines, reader: scripted('finished'), result: ok(null), tellsTools: true });
  expect(told(call, denied, call, denied)).toMatchObject({
    outcome: 'FAILURE',
    toolCalls: 0,
    deniedCalls: 2,
    failure: { reason: 'no-result', message: expect.stringContaining('used no tool') as string },
  });
  expect(told(call, within)).toMatchObject({ outcome: 'SUCCESS', toolCalls: 1, denials: 1 });
});

test('an overload pauses like a usage limit, and is told apart from it', () => {
  const lines = ['{"type":"limit","resetAt":null,"kind":"overload"}'];
  expect(turn({ lines, reader: scripted('limit'), result: ok(null) })).toMatchObject({
    outcome: 'LIMIT_PAUSED',
    stop: 'limit',
    limitKind: 'overload',
    failure: { message: "agent coder was refused: the model's servers are overloaded" },
  });
});

test('a usage limit pauses, and tells until when', () => {
  const lines = ['{"type":"limit","resetAt":1234}'];
  expect(turn({ lines, reader: scripted('limit'), result: ok(null) })).toMatchObject({
    outcome: 'LIMIT_PAUSED',
    failure: { reason: 'unavailable', evidence: { reset_at: 1234 } },
  });
});

const usage = (amounts: object): string =>
  JSON.stringify({ type: 'usage', usage: { ...unknownUsage, ...amounts } });

test('what the CLI tells about usage outweighs what the agent says, member by member', () => {
  const lines = [
    usage({ inputTokens: 5, outputTokens: 1 }),
    usage({ inputTokens: 7 }),
    '{"type":"tool","name":"Edit","target":"a"}',
    '{"type":"waiting","why":"approval"}',
    '{"type":"tool","name":"Bash","target":""}',
  ];
  const said = { ...account, usage: { inputTokens: 900, outputTokens: 900, costUsd: 0.5 } };
  expect(turn({ lines, reader: scripted('finished'), result: ok(said) })).toMatchObject({
    usage: { inputTokens: 7, outputTokens: 1, costUsd: 0.5 },
    toolCalls: 2,
  });
});

const price = { input: 3, output: 15, cachedInput: 0.3, asOf: '2026-11-01' };

test('tokens of the CLI are priced, and an agent that claims to have cost nothing is not believed', () => {
  const lines = [usage({ inputTokens: 1_000_000, outputTokens: 0, cachedInputTokens: 1_000_000 })];
  const said = { ...account, usage: { inputTokens: 1, outputTokens: 1, costUsd: 0 } };
  const ended = { lines, reader: scripted('finished'), result: ok(said) };
  expect(turn({ ...ended, price }).usage).toMatchObject({ costUsd: 0.3, pricedAsOf: '2026-11-01' });
  // Without a price its word is all there is.
  expect(turn(ended).usage.costUsd).toBe(0);
});

test('tokens that only the agent told are priced too; a cost that the CLI told is left alone', () => {
  const said = { ...account, usage: { inputTokens: 0, outputTokens: 1_000_000, costUsd: null } };
  expect(turn({ result: ok(said), price }).usage).toMatchObject({ costUsd: 15, pricedAsOf: '2026-11-01' });
  const lines = [usage({ inputTokens: 5, outputTokens: 5, costUsd: 0.25 })];
  const own = turn({ lines, reader: scripted('finished'), price }).usage;
  expect(own.costUsd).toBe(0.25);
  expect(own.pricedAsOf).toBeUndefined();
});

test('of a long log only the last words are kept', () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`);
  const { text } = turn({ lines });
  expect(text.length).toBe(4000);
  expect(text.endsWith('line 4999')).toBe(true);
});

const problem = (message: string): string => JSON.stringify({ type: 'problem', message });
const failedEnd = { ...clean, exitCode: 1 };
const named = { name: 'gpt-0', setting: 'the setup of driver d in tutti.yaml' };

test.each([
  ["There's an issue with the selected model (x). It may not exist.", 'the model gpt-0 is not known'],
  ['unexpected status 404 Not Found: The model gpt-0 does not exist', 'the model gpt-0 is not known'],
  ['Model not found: openai/gpt-0.', 'the model gpt-0 is not known'],
  ['gpt-0 is not a valid model ID', 'the model gpt-0 is not known'],
  ['the agent does not offer the model gpt-0: it offers none', 'the model gpt-0 is not known'],
  ['the agent answered 500: 404 page not found', 'the address of the model was not found'],
  ['Credit balance is too low', 'the account cannot pay for the model'],
])('a turn that fails with "%s" is not tried again, and says what to change', (said, what) => {
  const ended = { end: failedEnd, lines: [problem(said)], reader: replayReader(), result: ok(null) };
  const { stop, failure: found } = turn({ ...ended, model: named });
  expect(stop).toBe('failed');
  expect(found).toMatchObject({ outcome: 'UNAVAILABLE', reason: 'unavailable', evidence: { said } });
  expect(found?.message).toContain(`agent coder cannot use its model: ${what}: ${said}; `);
  expect(turn(ended).failure?.message).toMatch(/driver d\b|for d$/);
});

test('words about a model that stand in the work of a model that answered do not name the cause', () => {
  const lines = [JSON.stringify({ type: 'text', text: 'I looked.' }), problem('the model X does not exist')];
  const ended = { end: failedEnd, reader: replayReader(), result: ok(null) };
  expect(turn({ ...ended, lines }).failure).toMatchObject({ reason: 'exit' });
  const control = turn({ ...ended, lines: [problem('something else')] });
  expect(control.failure).toMatchObject({ outcome: 'FAILURE', reason: 'exit' });
});

test('an agent whose results its CLI refused is missing its result, with the reason of the refusal', () => {
  const missing = err(failure('no-result', 'it returned no structured output'));
  const refusing = {
    ...scripted('finished'),
    refusedResult: () => 'root: must NOT have additional properties',
  };
  const ended = turn({ lines: [], reader: refusing, result: missing });
  expect(ended).toMatchObject({ stop: 'no-result', outcome: 'FAILURE' });
  expect(ended.failure?.reason).toBe('no-result');
  expect(ended.failure?.message).toContain('refused the last one: root: must NOT have additional properties');
  // Control: without a refusal, and for a file that is there and wrong, the failure is the one that was found.
  const refused = err(failure('invalid-result', 'it has no status'));
  expect(turn({ lines: [], reader: refusing, result: refused }).failure?.message).toBe('it has no status');
  expect(turn({ lines: [], result: missing }).failure?.message).toBe('it returned no structured output');
});
