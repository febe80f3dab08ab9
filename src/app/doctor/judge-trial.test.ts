import { expect, test } from 'vitest';
import { failure } from '../../model/failure.ts';
import { agentClis } from '../../model/agent-clis.ts';
import { configForm, configLayerOf } from '../../model/schemas/config.ts';
import { check } from '../../model/schemas/issue.ts';
import { parseYaml } from '../../model/schemas/yaml-document.ts';
import type { TurnOutcome } from '../../model/turn.ts';
import { unknownUsage } from '../../model/usage.ts';
import { judgeTrial } from './judge-trial.ts';

const rest = { driver: 'd', model: 'm', usage: unknownUsage, log: null };
const nothing = {
  word: 'abc',
  written: '',
  ran: '',
  log: '',
  reportsTools: true,
  turn: null,
  failure: null,
  unanswered: null,
  signIn: null,
  signInAdvice: null,
};

function failed(message: string): TurnOutcome {
  return {
    outcome: 'FAILURE',
    stop: 'failed',
    sessionId: 's',
    result: null,
    text: '',
    toolCalls: 0,
    denials: 0,
    conversation: null,
    hookBlocks: 0,
    usage: unknownUsage,
    exitCode: 1,
    failure: failure('reported', message),
    resetAt: null,
  };
}

test.for([
  ['API Error: 401 invalid x-api-key', /^the sign-in was refused: API Error: 401/],
  ['Not logged in · Please run /login', /^the sign-in was refused/],
  ['API key not valid. Please pass a valid API key.', /^the sign-in was refused/],
  ['404 model: gpt-0 does not exist', /^the model m is not known: 404/],
  ['Credit balance is too low', /^the account cannot pay for the model: Credit balance is too low$/],
  ['something else', /^something else$/],
] as const)('a turn that did nothing because of "%s" names the cause', ([message, cause]) => {
  const trial = judgeTrial({ ...nothing, turn: failed(message) }, rest);
  expect(trial.proofs.map(({ proven }) => proven)).toEqual([false, false, false, false]);
  expect(trial.cause?.message).toMatch(cause);
});

test.for(agentClis)(
  'hints about the model of %s are settings that tutti.yaml accepts as printed',
  (driver) => {
    const limited = { ...failed('usage limit'), stop: 'limit' as const };
    const idle = { ...failed('used no tool'), stop: 'no-result' as const };
    for (const turn of [failed('404 model: gpt-0 does not exist'), limited, idle]) {
      const hint = judgeTrial({ ...nothing, turn }, { ...rest, driver }).cause?.hint ?? '';
      const [, setting = ''] = /(drivers: .*) in tutti\.yaml/.exec(hint) ?? [];
      const document = parseYaml(setting, 'tutti.yaml');
      const read = document.ok ? check(configForm, document.value.value) : document;
      expect(read.ok ? configLayerOf(read.value).drivers?.[driver] : read, hint).toMatchObject({
        models: { medium: 'MODEL' },
      });
    }
  },
);

test('a hint about the model of a driver under its own name names the driver', () => {
  const turn = failed('404 model: gpt-0 does not exist');
  expect(judgeTrial({ ...nothing, turn }, rest).cause?.hint).toBe(
    'name another one: the setup of driver d in tutti.yaml (tutti help drivers)',
  );
});

test('a turn that never started tells why, and an empty one that nothing was done', () => {
  expect(judgeTrial({ ...nothing, failure: 'no program' }, rest).cause?.message).toBe('no program');
  expect(judgeTrial(nothing, { ...rest, model: null }).cause?.message).toBe('the agent did nothing');
});

test.for([
  { ...failed('used no tool'), stop: 'no-result' as const, text: 'I would rather not.' },
  {
    ...failed(''),
    outcome: 'SUCCESS' as const,
    stop: 'finished' as const,
    failure: null,
    result: {
      status: 'success' as const,
      summary: 'I would rather not.',
      artifacts: [],
      notes: [],
      questions: [],
      usage: null,
    },
  },
])('an agent that answered and used no tool has tried nothing, whatever its sign-in looks like', (turn) => {
  const signIn = { found: false, text: 'no sign-in', fix: 'sign in: x' } as const;
  expect(judgeTrial({ ...nothing, turn, signIn }, rest).cause?.message).toBe(
    'the agent tried nothing: it used no tool and said "I would rather not."',
  );
});

test('a program whose driver reports no tools is not said to have used none', () => {
  const turn = { ...failed('no result'), stop: 'no-result' as const, text: 'Hello.' };
  expect(judgeTrial({ ...nothing, turn, reportsTools: false }, rest).cause).toEqual({
    message: 'the program did none of the steps and said "Hello."',
    hint: 'let it do what the prompt on its standard input says: tutti help own-agent',
  });
});

test('a turn that never began is not blamed on a sign-in that was not found', () => {
  const signIn = { found: false, text: 'no sign-in', fix: 'sign in: x' } as const;
  expect(judgeTrial({ ...nothing, failure: 'no program', signIn }, rest).cause?.message).toBe('no program');
});

test.for([
  [
    { turn: failed('API Error: Unable to connect to API (ECONNREFUSED)') },
    /^the model cannot be reached: API Error/,
  ],
  [
    { unanswered: { text: 'the model did not answer within 30s: 502', reason: '502' } },
    /^the model did not answer within 30s: 502 \(also: no/,
  ],
] as const)(
  'a model that gives no answer is the cause, and a missing sign-in stands beside it',
  ([seen, cause]) => {
    const signIn = { found: false, text: 'no sign-in', fix: 'sign in: x' } as const;
    const found = judgeTrial({ ...nothing, ...seen, signIn }, rest).cause;
    expect(found?.message).toMatch(cause);
    expect(found?.message).toContain('(also: no sign-in)');
    expect(found?.hint).toMatch(/^check the network, the proxy and the base URL of d/);
  },
);

test('a CLI that said nothing is not blamed on the network alone', () => {
  const text = 'the model did not answer within 2m 00s, and the CLI said nothing';
  const { cause } = judgeTrial({ ...nothing, unanswered: { text, reason: null } }, rest);
  expect(cause?.message).toBe(text);
  expect(cause?.hint).toBe(
    'it may be a usage limit or an overloaded server, which some CLIs retry without a word, or the network: check the quota of the key, then the network, the proxy and the base URL of d (tutti help drivers)',
  );
});

test('a server that refuses every try of the CLI leads to the sign-in, not to the network', () => {
  const text = 'the model did not answer within 30s of its first failure: 401 no key';
  const unanswered = { text, reason: '401 no key' };
  const missing = { found: false, text: 'no sign-in', fix: 'sign in: x' } as const;
  const found = judgeTrial({ ...nothing, unanswered, signIn: missing }, rest).cause;
  expect(found).toEqual({ message: `no sign-in; ${text}`, hint: 'sign in: x' });
  const present = judgeTrial({ ...nothing, unanswered }, rest).cause;
  expect(present?.message).toMatch(/refused.*: the model did not answer/);
});

test('a usage limit is the cause, and the advice is to wait or to use another model', () => {
  const turn = { ...failed('agent a met a usage limit'), stop: 'limit' as const };
  const { cause } = judgeTrial({ ...nothing, turn }, rest);
  expect(cause?.message).toBe('the key or account met a usage limit');
  expect(cause?.hint).toMatch(
    /^wait until it is over, use another key, or name another model: the setup of driver d/,
  );
  const signIn = { found: true, text: 'KEY is set', variables: ['KEY'] } as const;
  const told = { ...turn, resetAt: Date.UTC(2026, 10, 18, 19, 20, 5) };
  const known = judgeTrial({ ...nothing, turn: told, signIn }, rest).cause;
  expect(known?.message).toBe('the key or account met a usage limit (until 2026-11-18 19:20:05 UTC)');
  expect(known?.hint).toMatch(/^wait until it is over, use another key in KEY, or name another model/);
});

const silence = 'the model did not answer within 30s of its first failure: ';

test.for([
  [
    'the model answered 429; attempt 3 of 10',
    'the key or account met a usage limit: ',
    /^wait until it is over/,
  ],
  ['Rate limit exceeded', 'the key or account met a usage limit: ', /^wait until it is over/],
  [
    'the model answered 529; attempt 3 of 10',
    "the model's servers are overloaded: ",
    /^try again later with tutti doctor --try d, or name another model/,
  ],
  [
    '404 page not found',
    `the address of the model was not found: ${silence}`,
    /^check the model \(the setup of driver d.*\) and the base URL of d/,
  ],
  ['the model answered 500; attempt 3 of 10', silence, /^check the network, the proxy and the base URL of d/],
] as const)(
  'a model that never answers because of "%s" has its own cause and advice',
  ([reason, cause, hint]) => {
    const text = `${silence}${reason}`;
    const found = judgeTrial({ ...nothing, unanswered: { text, reason } }, rest).cause;
    expect(found?.message).toBe(`${cause}${reason}`);
    expect(found?.hint).toMatch(hint);
  },
);

test('a refused sign-in is not taken for an unknown model', () => {
  const told = 'agent a cannot use its model: Internal error: invalid api key';
  const turn = { ...failed(told), stop: 'sign-in' as const };
  expect(judgeTrial({ ...nothing, turn }, rest).cause?.message).toMatch(/^the sign-in was refused/);
});

test('an overloaded model is the cause, and the advice is to try again later', () => {
  const turn = { ...failed('overloaded'), stop: 'limit' as const, limitKind: 'overload' as const };
  const { cause } = judgeTrial({ ...nothing, turn }, rest);
  expect(cause?.hint).toMatch(
    /^try again later with tutti doctor --try d, or name another model: the setup of driver d/,
  );
});

test('denied tools are named where something is missing', () => {
  const turn = { ...failed('x'), denials: 2, deniedTools: ['Bash'] };
  const trial = judgeTrial({ ...nothing, written: 'abc\n', turn }, rest);
  expect(trial.cause?.message).toBe(
    'the agent did not run the command that it was asked for (denied 2 times: Bash)',
  );
});

test('a sign-in that was not found is the cause, and one that was is named with the refusal', () => {
  const turn = failed('401 unauthorized');
  const none = { found: false, text: 'no sign-in', fix: 'sign in: x' } as const;
  expect(judgeTrial({ ...nothing, turn, signIn: none }, rest).cause).toEqual({
    message: 'no sign-in; 401 unauthorized',
    hint: 'sign in: x',
  });
  const key = { found: true, text: 'KEY is set', variables: ['KEY'] } as const;
  expect(judgeTrial({ ...nothing, turn, signIn: key }, rest).cause).toEqual({
    message: 'the model refused the key in KEY: 401 unauthorized',
    hint: 'set KEY to a valid key, then try again: tutti doctor --try d',
  });
  const told = {
    ...turn,
    stop: 'sign-in' as const,
    failure: failure(
      'sign-in',
      'agent a cannot use its model: 401; the model refused the key in KEY; set it',
      {
        evidence: { said: '401' },
      },
    ),
  };
  expect(judgeTrial({ ...nothing, turn: told, signIn: key }, rest).cause?.message).toBe(
    'the model refused the key in KEY: 401',
  );
  const file = { found: true, text: 'signed in (/f)', variables: [] } as const;
  expect(judgeTrial({ ...nothing, turn, signIn: file }, rest).cause?.message).toBe(
    'the sign-in was refused (signed in (/f)): 401 unauthorized',
  );
  const advised = { ...nothing, turn, signIn: file, signInAdvice: 'run `d login`' };
  expect(judgeTrial(advised, rest).cause?.hint).toBe('run `d login`, then try again: tutti doctor --try d');
});

test('a CLI that could do nothing is named with what changes that', () => {
  const message = 'agent a could do nothing: the CLI could not create the helpers of its sandbox';
  const turn = { ...failed(''), failure: failure('unavailable', message), denials: 3 };
  expect(judgeTrial({ ...nothing, turn }, rest).cause).toEqual({
    message,
    hint: 'change that, then try again: tutti doctor --try d',
  });
});

test('an agent that used tools and left no file did not write, whatever its log shows', () => {
  const turn = { ...failed('no result'), toolCalls: 2, denials: 1, deniedTools: ['Write'] };
  expect(judgeTrial({ ...nothing, turn }, rest).cause?.message).toBe(
    'the agent did not write the file that it was asked for (denied: Write)',
  );
});
