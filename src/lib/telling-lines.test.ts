import { expect, test } from 'vitest';
import { lastTellingLine, tellingLines } from './telling-lines.ts';

test.each([
  [
    "node's test runner",
    `✖ adds (1.2ms)
ℹ tests 2
ℹ fail 1
ℹ cancelled 0

✖ failing tests:

test at test/add.test.js:3:1
✖ adds (1.2ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  3 !== 4
      at TestContext.<anonymous> (file:///add.test.js:4:10)
    code: 'ERR_ASSERTION',
    expected: 4,
    operator: 'strictEqual',
    diff: 'simple'
  }
`,
    [
      '✖ failing tests:',
      '✖ adds (1.2ms)',
      '  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:',
    ],
  ],
  [
    'pytest',
    `>       assert add(1, 2) == 4
E       assert 3 == 4
test_add.py:5: AssertionError
=== short test summary info ===
FAILED test_add.py::test_adds - assert 3 == 4
=== 1 failed in 0.05s ===
`,
    [
      'test_add.py:5: AssertionError',
      'FAILED test_add.py::test_adds - assert 3 == 4',
      '=== 1 failed in 0.05s ===',
    ],
  ],
  [
    'a script of npm',
    `src/a.ts(3,1): error TS2322: no such type
Found 0 errors in b.ts
npm error Lifecycle script \`test\` failed with error:
npm error code 1
`,
    ['src/a.ts(3,1): error TS2322: no such type'],
  ],
  ['nothing that seems to tell', 'one\n\ntwo\nthree\nfour\n', ['two', 'three', 'four']],
  ['npm alone', 'npm error Missing script: "test"\n', ['npm error Missing script: "test"']],
  ['nothing at all', '\n \n', []],
])('of %s', (_name, output, lines) => {
  expect(tellingLines(output, 3)).toEqual(lines);
});

test('the last line that tells is the only one that is quoted as a cause', () => {
  expect(lastTellingLine('Error: no model\n    at run (a.js:1:1)\nNode.js v24\n')).toBe('Error: no model');
  expect(lastTellingLine('all done\n')).toBeNull();
});
