import { expect, test } from 'vitest';
import {
  answerFiles,
  checkAnswer,
  checkConfinement,
  checkRequest,
  relayLimits,
  requestFile,
  requestId,
} from './command-relay.ts';

const command = { kind: 'command', session: 's1', argv: ['log'], cwd: '/w', env: { TZ: 'UTC' }, stdin: null };
const signal = { kind: 'signal', session: 's1', of: 'x', signal: 'SIGINT' };
const id = 'a'.repeat(32);

test('a request of its own session is accepted as it is', () => {
  for (const request of [command, { ...command, stdin: 'text' }, signal])
    expect(checkRequest(request, 's1')).toEqual({ ok: true, value: request });
});

test('members that no request has are dropped', () => {
  const told = { ...command, program: '/bin/sh', shell: true };
  expect(checkRequest(told, 's1')).toEqual({ ok: true, value: command });
});

test.for<[name: string, value: unknown, why: string]>([
  ['another session', { ...command, session: 's2' }, 'this is session s1, and cannot act as s2'],
  ['no session', { ...command, session: null }, 'this is session s1, and cannot act as no session'],
  ['an empty session', { ...command, session: '' }, 'this is session s1, and cannot act as no session'],
  ['a signal of another session', { ...signal, session: 's2' }, 'this is session s1, and cannot act as s2'],
  ['a text', 'log', 'this is not a request'],
  ['a list', [command], 'this is not a request'],
  ['nothing', null, 'this is not a request'],
  ['an unknown kind', { ...command, kind: 'shell' }, 'this is not a request'],
  ['an unknown signal', { ...signal, signal: 'SIGKILL' }, 'this is not a request'],
  ['a signal for nothing', { ...signal, of: 3 }, 'this is not a request'],
  ['a shell string', { ...command, argv: 'log; sh' }, 'its arguments are not a list of words'],
  ['a number as a word', { ...command, argv: ['log', 1] }, 'its arguments are not a list of words'],
  ['a word with NUL', { ...command, argv: ['log\0'] }, 'its arguments are not a list of words'],
  [
    'too many words',
    { ...command, argv: Array.from({ length: relayLimits.words + 1 }, () => 'x') },
    'its arguments are not a list of words',
  ],
  ['a relative folder', { ...command, cwd: 'w' }, 'it names no folder'],
  ['a folder with NUL', { ...command, cwd: '/w\0' }, 'it names no folder'],
  ['no folder', { ...command, cwd: undefined }, 'it names no folder'],
  ['input that is no text', { ...command, stdin: 1 }, 'its standard input is no text'],
  ['variables that are a list', { ...command, env: ['TZ'] }, 'its variables are no texts'],
  ['a variable that is no text', { ...command, env: { TZ: 1 } }, 'its variables are no texts'],
  ...[
    'TUTTI_SESSION_ID',
    'TUTTI_CONFINED',
    'TUTTI_DEPTH',
    'NODE_OPTIONS',
    'PATH',
    'HOME',
    'EDITOR',
    'USER',
  ].map((name): [string, unknown, string] => [
    `the variable ${name}`,
    { ...command, env: { [name]: '' } },
    `it may not set the variable ${name}`,
  ]),
])('a request with %s is refused', ([, value, why]) => {
  expect(checkRequest(value, 's1')).toEqual({ ok: false, error: why });
});

test('only 32 hexadecimal digits are the name of a request', () => {
  expect(requestId(requestFile(id))).toBe(id);
  for (const name of ['', '.json', id, `${id}.out`, `.${id}.json`, `../${id}.json`, `${'A'.repeat(32)}.json`])
    expect(requestId(name)).toBeNull();
});

test('an answer has three files of its own', () => {
  expect(answerFiles(id)).toEqual({ out: `${id}.out`, err: `${id}.err`, end: `${id}.json` });
});

test('an answer is an exit code or a refusal', () => {
  expect(checkAnswer({ exitCode: 3 })).toEqual({ exitCode: 3 });
  expect(checkAnswer({ refused: 'no' })).toEqual({ refused: 'no' });
  for (const value of [null, {}, { exitCode: '3' }]) expect(checkAnswer(value)).toBeNull();
});

test('a confinement has a project and places', () => {
  expect(checkConfinement({ project: '/p', places: ['/p'] })).toEqual({ project: '/p', places: ['/p'] });
  for (const value of [null, { project: '/p' }, { project: 1, places: [] }, { project: '/p', places: [1] }])
    expect(checkConfinement(value)).toBeNull();
});
