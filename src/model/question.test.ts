import { expect, test } from 'vitest';
import {
  chooseAnswer,
  closed,
  findAsker,
  firstAnswer,
  isAboutPhases,
  isApproval,
  questionNumber,
} from './question.ts';

const choice = { options: ['approve', 'edit', 'refuse'], closed: { withReason: ['refuse'] } };

const approving = { ...choice, closed: { withReason: ['approve', 'refuse'] } };

const gate = {
  options: ['approve', 'refuse'],
  closed: {
    withReason: ['approve', 'refuse'],
    words: { yes: 'approve', n: 'refuse', no: 'refuse' },
  },
};

test.each([
  [choice, '1', 'approve'],
  [choice, 'APPROVE', 'approve'],
  [choice, 'e', 'edit'],
  [choice, 'refuse: too large, see T002', 'refuse: too large, see T002'],
  [choice, 'Refuse :too large', 'refuse: too large'],
  [approving, 'approve: fine', 'approve: fine'],
  [gate, 'yes', 'approve'],
  [gate, 'N', 'refuse'],
  [gate, 'no: not now', 'refuse: not now'],
  [gate, 'no: at 10:30: see http://x:80/', 'refuse: at 10:30: see http://x:80/'],
  [{ options: ['red', 'blue'] }, 'green', 'green'],
  [{ options: ['red', 'blue'] }, '2', 'blue'],
  [{}, 'anything', 'anything'],
])('of %j the answer %s is %s', (question, typed, chosen) => {
  expect(chooseAnswer(question, typed)).toEqual({ ok: true, value: chosen });
});

test.each([
  [{ options: ['3', '2', '1'] }, '1', '1'],
  [{ options: ['3', '2', '1'] }, '4', '4'],
  [{ options: ['none', '2'] }, '1', '1'],
  [{ options: ['3', '2', '1'], closed }, '3', '3'],
])('options %o that are numbers are chosen by their words: %s', (question, typed, chosen) => {
  expect(chooseAnswer(question, typed)).toEqual({ ok: true, value: chosen });
});

test.each([
  [{ options: ['3', '2'], closed }, '1', "'1' is none of 3, 2"],
  [choice, 'aprove', "'aprove' is none of approve, edit, refuse; did you mean 'approve'?"],
  [choice, 'approve later', "'approve later' is none of approve, edit, refuse"],
  [
    choice,
    'refuse too large',
    "'refuse too large' is none of approve, edit, refuse; a reason follows a colon: 'refuse: REASON'",
  ],
  [
    approving,
    'approve not',
    "'approve not' is none of approve, edit, refuse; a reason follows a colon: 'approve: REASON'",
  ],
  [
    approving,
    'approve or not',
    "'approve or not' is none of approve, edit, refuse; a reason follows a colon: 'approve: REASON'",
  ],
  [
    approving,
    'approve, but drop T002',
    "'approve, but drop T002' is none of approve, edit, refuse; a reason follows a colon: 'approve: REASON'",
  ],
  [approving, 'approve:', "'approve:' has no reason after its colon; answer 'approve' or 'approve: REASON'"],
  [approving, 'Refuse : ', "'Refuse :' has no reason after its colon; answer 'refuse' or 'refuse: REASON'"],
  [gate, 'yes but', "'yes but' is none of approve, refuse; a reason follows a colon: 'approve: REASON'"],
  [gate, 'constructor', "'constructor' is none of approve, refuse"],
  [gate, '?', "'?' is none of approve, refuse"],
  [choice, '4', 'there are 3 options, not 4'],
  [{ options: ['red', 'blue'] }, '0', 'there are 2 options, not 0'],
  [{ options: ['accept', 'abort'], closed }, 'a', "'a' is none of accept, abort"],
])('to %j the answer %s is refused', (question, typed, why) => {
  expect(chooseAnswer(question, typed)).toEqual({ ok: false, error: why });
});

test('a plan asks to be approved where its step and its options say so', () => {
  const question = { text: 'Shall it?', step: 'approval', options: ['approve', 'edit', 'refuse'] };
  expect(isApproval({ question })).toBe(true);
  expect(isApproval({ question: { ...question, step: 'T001' } })).toBe(false);
  expect(isApproval({ question: { ...question, options: ['look again'] } })).toBe(false);
  // A step of a flow may have any name.
  expect(isApproval({ question: { ...question, options: ['approve', 'refuse'] } })).toBe(false);
  expect(isApproval({ question: { text: 'Shall it?', step: 'approval' } })).toBe(false);
});

test('a question about phases is one of the run itself, in this round', () => {
  const asked = { text: 'It does not fit.', step: 'sequencing', evidence: { round: 2 } };
  const isIt = (question: object): boolean => isAboutPhases({ question: { ...asked, ...question } }, 2);
  expect(isIt({})).toBe(true);
  for (const other of [
    { step: 'approval' },
    { agent: 'task-auditor' },
    { evidence: undefined },
    { evidence: 'round 2' },
    { evidence: { round: 1 } },
  ])
    expect(isIt(other)).toBe(false);
});

test('the first answer to a question names what was said, and who said it where that is known', () => {
  const given = { id: 'Q1', answer: null, answeredBy: null };
  expect(firstAnswer(given)).toBeNull();
  const said = "Q1 was already answered with 'approve'";
  expect(firstAnswer({ ...given, answer: 'approve' })).toBe(`${said}, and the first decision counts`);
  expect(firstAnswer({ ...given, answer: 'approve', answeredBy: 'user:ada' })).toBe(
    `${said} by user:ada, and the first decision counts`,
  );
});

test('the session of a question is the one that asks while it works, else the one whose turn ended with it', () => {
  const question = { text: 'Which?', session: 's-ended' };
  expect(findAsker({ asker: { session: 's-living', request: 1 }, question })).toBe('s-living');
  expect(findAsker({ asker: null, question })).toBe('s-ended');
  expect(findAsker({ asker: null, question: { text: 'Which?' } })).toBeNull();
});

test('a question is named by its number, with or without the letter', () => {
  expect(['Q7', 'q7', '7', 'r/key@1', ''].map(questionNumber)).toEqual([7, 7, 7, null, null]);
});
