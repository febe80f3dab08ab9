import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { corrupted } from '../../../test/rig/corruption.ts';
import { cassetteForm } from './cassette.ts';
import { problemSentence } from './problem.ts';
import { readForm } from './yaml-document.ts';

const whole = `turns:
  - match: {agent: coder, step: build, contains: "a library", turn: 1, attempt: 1}
    delay_ms: 5
    files: {src/a.js: "export const a = 1;\\n"}
    append: {CHANGELOG.md: "- a\\n"}
    commands:
      - [node, --check, src/a.js]
      - {command: ["false"], may_fail: true}
    text: I wrote {WORKSPACE}/src/a.js
    tools: [{name: Edit, target: src/a.js}, {name: Bash}]
    usage: {input_tokens: 10, output_tokens: 5, cost_usd: 0.01}
    result: {status: success, summary: done}
    exit: 0
  - {hang: true}
`;

const sentences = (text: string): readonly string[] => {
  const read = readForm(cassetteForm, text, 'cassette.yaml');
  return read.ok ? [] : read.error.map(problemSentence);
};

test('a cassette may say everything that the contract names', () => {
  expect(sentences(whole)).toEqual([]);
});

test.each([
  ['{}', 'turns: is missing'],
  ['turns: [{mach: {}}]', 'turns[0]: unknown member "mach" (did you mean "match"?)'],
  ['turns: [{match: {attempt: 0}}]', 'turns[0].match.attempt: must be a whole number from 1'],
  ['turns: [{commands: [make]}]', 'turns[0].commands[0]: must be a program and its arguments, or a mapping'],
  ['turns: [{files: {a: 5}}]', 'turns[0].files.a: must be the content of the file, as text'],
  ['turns: [{exit: 256}]', 'turns[0].exit: must be a whole number from 0 to 255'],
])('%j is refused with the sentence %j', (text, sentence) => {
  expect(sentences(text)).toEqual([expect.stringContaining(sentence)]);
});

test('500 corruptions of a cassette: each is read or refused with a sentence', () => {
  let refused = 0;
  fc.assert(
    fc.property(corrupted(whole), (text) => {
      const found = sentences(text);
      if (found.length > 0) refused += 1;
      for (const sentence of found) expect(sentence).toMatch(/^cassette\.yaml(:\d+:\d+)?: ./);
    }),
    { seed: 12, numRuns: 500 },
  );
  expect(refused).toBeGreaterThan(200);
});
