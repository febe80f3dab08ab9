import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { filledText, list, members, wholeNumber } from './basic-shapes.ts';
import { problemOf, problemSentence, type Problem } from './problem.ts';
import { parseYaml, readForm } from './yaml-document.ts';

const form = members({ name: filledText(), sizes: list(wholeNumber(1, 9), 'a list of sizes').optional() });

function problems(text: string): readonly Problem[] {
  const read = readForm(form, text, 'x.yaml');
  return read.ok ? [] : read.error;
}

const sentences = (text: string): readonly string[] => problems(text).map(problemSentence);

test('a good file has no problems, as YAML, as JSON and as JSON indented with tabs', () => {
  expect(problems('name: a\nsizes: [1, 2]\n')).toEqual([]);
  expect(problems('{"name": "a", "sizes": [1]}')).toEqual([]);
  expect(problems('{\n\t"name": "a",\n\t"sizes": [\n\t\t1\n\t]\n}\n')).toEqual([]);
});

test('a wrong value is told with its line, its column and its path', () => {
  expect(sentences('name: a\nsizes:\n  - 1\n  - 99\n')).toEqual([
    'x.yaml:4:5: sizes[1]: must be a whole number from 1 to 9',
  ]);
});

test('the frame shows the offending line with a caret below it, and nothing a terminal would obey', () => {
  const [problem] = problems('name: a\nsizes: [\t"\u001B[31m"]\n');
  expect(problem?.frame).toBe('2 | sizes: [ ""]\n  |          ^');
});

test('an unknown member is told at its own place, with the one that was meant', () => {
  expect(sentences('name: a\nsize: [1]\nzzz: 2\n')).toEqual([
    'x.yaml:2:1: unknown member "size" (did you mean "sizes"?), "zzz"; known are name, sizes',
  ]);
});

test('a missing member is told where it should be', () => {
  expect(sentences('sizes: []\n')).toEqual(['x.yaml:1:1: name: is missing']);
  expect(sentences('')).toEqual(['x.yaml:1:1: must be a mapping with name, sizes']);
});

test('a mistake behind an alias is told at the alias or around it', () => {
  expect(sentences('name: a\nsizes: &s [77]\n')).toEqual([
    'x.yaml:2:12: sizes[0]: must be a whole number from 1 to 9',
  ]);
  const outer = members({ a: form, b: form });
  const read = readForm(outer, 'a: &x {name: n, more: 1}\nb: *x\n', 'x.yaml');
  expect(read.ok ? [] : read.error.map(({ line, column }) => [line, column])).toEqual([
    [1, 17],
    [2, 4],
  ]);
});

test.each([
  ['a: b: c', 1],
  ['name: a\nname: b', 2],
  ['name: a\n---\nname: b', 2],
  ['name: !secret a', 1],
  ['name: *nowhere', 1],
  ['name: "open', 1],
])('the mistake in %j is told with its line', (text, line) => {
  const [first] = problems(text);
  expect(first).toMatchObject({ file: 'x.yaml', line });
  expect(first?.message).not.toContain('\n');
});

test('aliases that multiply without end and nesting without end are refused, not obeyed', () => {
  let bomb = 'a0: &a0 [x, x, x, x, x, x, x, x, x]\n';
  for (let level = 1; level < 9; level += 1) {
    bomb += `a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ')}]\n`;
  }
  expect(sentences(bomb).join()).toContain('cannot be read as YAML');
  const deep = sentences('['.repeat(100_000));
  expect(deep.length).toBeLessThan(5);
  expect(deep[0]).toMatch(/^x\.yaml:1:\d+: nested too deeply$/);
});

test('whatever the text, the answer is a value', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const parsed = parseYaml(text, 'x.yaml');
      expect(parsed.ok || parsed.error.length > 0).toBe(true);
    }),
    { seed: 7, numRuns: 500 },
  );
});

test('a problem of no file is its message alone', () => {
  expect(problemSentence(problemOf(null, 'no'))).toBe('no');
  expect(problemSentence(problemOf('f', 'no'))).toBe('f: no');
  expect(problemSentence({ ...problemOf('f', 'no'), line: 3 })).toBe('f:3:1: no');
});

test('an object may hold names that every object has, and they stay data', () => {
  const parsed = parseYaml('__proto__: {polluted: 1}\nconstructor: 2\n', 'x');
  expect(parsed.ok && Object.keys(parsed.value.value as object)).toEqual(['__proto__', 'constructor']);
  expect(({} as { polluted?: number }).polluted).toBe(undefined);
});
