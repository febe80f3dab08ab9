import { expect, test } from 'vitest';
import {
  answerText,
  givenAnswer,
  isPermitted,
  markOf,
  permissionAnswers,
  permissionQuestion,
  type PermissionRequest,
  permissionRequestOf,
  permissionText,
  requestNumberOf,
} from './permission.ts';

const request: PermissionRequest = {
  number: 2,
  tool: 'execute',
  target: 'make',
  input: '{"command":"make"}',
  options: ['allow', 'deny', 'always'],
};
const mark = markOf(request);

test.each([
  ['allow 1', { answer: 'allow', number: 1, mark: null }],
  ['  never 12\n', { answer: 'never', number: 12, mark: null }],
  [`always 2 ${mark}`, { answer: 'always', number: 2, mark }],
  ['allow', null],
  ['allow 1 please', null],
  ['Allow 1', null],
  ['perhaps 1', null],
  ['allow 1234567', null],
  ['allow 1\ndeny 2', null],
])('%j is read as an answer: %j', (text, given) => {
  expect(givenAnswer(text)).toEqual(given);
});

test('an answer is read as it was written', () => {
  for (const answer of permissionAnswers) {
    for (const given of [
      { answer, number: 7, mark: null },
      { answer, number: 7, mark },
    ])
      expect(givenAnswer(answerText(given))).toEqual(given);
  }
});

test('two of the answers permit', () => {
  expect(permissionAnswers.filter(isPermitted)).toEqual(['allow', 'always']);
});

test('the mark changes with everything that a person is shown', () => {
  const others = [{ tool: 'read' }, { target: 'make install' }, { input: '' }];
  const marks = others.map((other) => markOf({ ...request, ...other }));
  expect(new Set([mark, ...marks]).size).toBe(4);
  expect(markOf({ ...request, number: 3, options: [] })).toBe(mark);
});

test('a request is read from a log, and whatever else may stand there is none', () => {
  expect(permissionRequestOf({ ...request, options: ['allow', 'deny', 'always', 'perhaps', 5] })).toEqual(
    request,
  );
  expect(permissionRequestOf({ number: 1 })).toEqual({
    number: 1,
    tool: '',
    target: '',
    input: '',
    options: [],
  });
  for (const value of [undefined, null, [], 'x', {}, { number: '1' }, { number: 0 }]) {
    expect(permissionRequestOf(value)).toBeNull();
  }
  expect([1.5, -1, 2 ** 60, '1', undefined].map(requestNumberOf)).toEqual([null, null, null, null, null]);
});

test('as a question it says what is wanted, by whom and until when, and carries its mark', () => {
  expect(permissionQuestion(request, { agent: 'coder', step: 'build', until: 5 })).toEqual({
    text: 'permission to execute: make',
    options: ['allow', 'deny', 'always'],
    evidence: { tool: 'execute', target: 'make', input: '{"command":"make"}', mark },
    agent: 'coder',
    step: 'build',
    until: 5,
  });
});

test('a question names a kind of tool as a deed, and a tool by its name', () => {
  expect(permissionText({ tool: 'execute', target: 'make' })).toBe('permission to execute: make');
  expect(permissionText({ tool: 'Bash', target: 'make' })).toBe('permission to use Bash: make');
});
