import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { shellTroubles } from './shell-syntax.ts';

const sound = [
  'npm test',
  'node --test test/a.test.js && grep -q "x y" src/a.js',
  "grep -q 'it''s' a | wc -l; true",
  'test "$(wc -l < a)" -eq 3',
  'if [ -f a ]; then echo yes; fi',
  'for f in a b; do test -f "$f"; done',
  'case "$X" in a) true;; *) false;; esac',
  'cat <<EOF | grep x\nx\nEOF',
  'grep -q "don\'t" a # it\'s a comment',
  'test $((1 << 2)) -eq 4',
  '(cd app && make)',
  '{ true; }',
  '! grep -q x a',
  'A=b env',
  'echo \\',
  "awk '{ print $1 }' a > b",
];

const broken = [
  "grep 'x",
  'echo "x',
  'echo `x',
  'if true; then',
  'then true; fi',
  'for f in a; do echo',
  '(true',
  'true)',
  '{ true',
  '&& true',
  'true &&',
  'a ;; b',
  'true ) ; ( true',
  'done',
  'fi;a',
  'echo $(ls',
];

test('commands that parse are let pass, alone and together', () => {
  expect(shellTroubles(sound)).toEqual(new Map());
});

test('each command that does not parse is found among any others, with what the shell says', () => {
  const found = shellTroubles([...sound, ...broken, ...sound]);
  expect([...found.keys()].toSorted()).toEqual(broken.toSorted());
  for (const said of found.values()) expect(said).toMatch(/\w/);
});

test('two halves of a command do not make up for each other', () => {
  const halves = [
    "echo 'a",
    "b'",
    'if true',
    'then true; fi',
    '(true',
    'true)',
    '{ true',
    '}',
    'cat <<EOF',
    'EOF',
  ];
  const bad = new Set(shellTroubles(halves).keys());
  // A here-document may end with the text; the shell only warns.
  expect([...bad]).toEqual(
    expect.arrayContaining(["echo 'a", "b'", 'if true', 'then true; fi', '(true', 'true)', '{ true', '}']),
  );
});

test('nothing is run', () => {
  using folder = tempFolder();
  const mark = join(folder.path, 'ran');
  const commands = [
    `touch ${mark}`,
    `$(touch ${mark})`,
    `) ; touch ${mark} ; (`,
    `fi; touch ${mark}`,
    `: <<X\n$(touch ${mark})\nX`,
  ];
  shellTroubles(commands);
  expect(existsSync(mark)).toBe(false);
});

test('the answer for many at once is the answer that the shell gives for each', () => {
  const parts = fc.constantFrom(
    'a',
    ' ',
    "'",
    '"',
    '(',
    ')',
    '{',
    '}',
    ';',
    '&&',
    '|',
    '#',
    '\\',
    '$',
    '\n',
    'if ',
    'then ',
    'fi',
    '`',
    '<<E',
    ' x=',
  );
  const texts = fc.array(parts, { minLength: 1, maxLength: 6 }).map((list) => list.join(''));
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 5 }), (commands) => {
      const found = shellTroubles(commands);
      for (const command of commands) {
        const { status } = spawnSync('/bin/sh', ['-n'], {
          input: `${command}\n`,
          stdio: ['pipe', 'ignore', 'ignore'],
        });
        expect([command, found.has(command)]).toEqual([command, status !== 0]);
      }
    }),
    { numRuns: 40 },
  );
});
