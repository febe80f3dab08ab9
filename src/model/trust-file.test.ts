import { expect, test } from 'vitest';
import { checkStateMark, checkTrustFile } from './trust-file.ts';

const digest = '0123456789abcdef0123456789abcdef';
const at = '2026-01-01T00:00:00.000Z';
const root = '/home/ann/shop';

const repository = {
  trusted_at: at,
  surfaces: { 'tutti.yaml': [digest] },
  commands: ['npm test'],
  declined: null,
};
const file = (change: object = {}) => ({
  version: 2,
  repositories: { [root]: { ...repository, ...change } },
});

test('a record of trust is read with everything it holds', () => {
  expect(checkTrustFile(file({ declined: digest }))?.get(root)).toEqual({
    at,
    surfaces: new Map([['tutti.yaml', [digest]]]),
    commands: ['npm test'],
    declined: digest,
  });
  expect(checkTrustFile({ version: 2, repositories: {} })).toEqual(new Map());
});

test('one digest for a path, as the first version kept it, is read as a list of one', () => {
  const first = {
    version: 1,
    repositories: { [root]: { trusted_at: null, surfaces: { 'tutti.yaml': digest } } },
  };
  const expected = { at: null, surfaces: new Map([['tutti.yaml', [digest]]]), commands: [], declined: null };
  expect(checkTrustFile(first)?.get(root)).toEqual(expected);
});

test.for([
  ['no object', []],
  ['another member', { ...file(), more: 1 }],
  ['another version', { ...file(), version: 3 }],
  ['no repositories', { version: 2 }],
  ['repositories that are a list', { version: 2, repositories: [] }],
  ['a repository that is a text', { version: 2, repositories: { [root]: 'yes' } }],
  ['a root that is no path', { version: 2, repositories: { shop: repository } }],
  ['another member of a repository', file({ more: 1 })],
  ['a day for an instant', file({ trusted_at: '2026-01-01' })],
  ['an instant that does not exist', file({ trusted_at: '2026-13-01T00:00:00Z' })],
  ['a number for an instant', file({ trusted_at: 1 })],
  ['no instant', { version: 2, repositories: { [root]: { surfaces: {} } } }],
  ['no surfaces', { version: 2, repositories: { [root]: { trusted_at: at } } }],
  ['surfaces that are a list', file({ surfaces: [] })],
  ['a digest that is too short', file({ surfaces: { a: ['0123'] } })],
  ['a digest that is a number', file({ surfaces: { a: [1] } })],
  ['surfaces by number', file({ surfaces: { a: 1 } })],
  ['more digests than are ever kept', file({ surfaces: { a: Array.from({ length: 101 }, () => digest) } })],
  ['a command that is a number', file({ commands: [1] })],
  ['commands that are a text', file({ commands: 'npm test' })],
  ['a refusal that is no digest', file({ declined: 'no' })],
] as const)('a record of trust is refused as a whole with %s', ([, value]) => {
  expect(checkTrustFile(JSON.parse(JSON.stringify(value)))).toBeNull();
});

const mark = { path: '/home/ann/shop/.tutti', inode: 7, made_at: at };

test('the mark of a state folder is read, and refused when anything in it is different', () => {
  expect(checkStateMark(mark)).toEqual(mark);
  const wrong = [
    { ...mark, more: 1 },
    { ...mark, path: 'shop' },
    { ...mark, inode: 1.5 },
    { ...mark, made_at: 'now' },
    {},
  ];
  for (const value of wrong) expect(checkStateMark(value)).toBeNull();
});
