import { expect, test } from 'vitest';
import { flowForm, flowOf } from './flow.ts';
import { problemSentence } from './problem.ts';
import { readForm } from './yaml-document.ts';

function flow(text: string) {
  const form = readForm(flowForm, text, 'flow.yaml');
  return form.ok
    ? flowOf(form.value, 'unnamed', (prompt) => ('text' in prompt ? prompt.text : `from ${prompt.file}`))
    : form.error.map(problemSentence);
}

const step = (members: string): string => `steps:\n  - {id: a, ${members}}\n`;

test('every default of a flow is filled in', () => {
  expect(flow('steps:\n  - {id: a, command: [make]}\n  - {id: b, agent: coder, prompt: go}\n')).toEqual({
    name: 'unnamed',
    concurrency: 3,
    budget: {},
    steps: [
      {
        id: 'a',
        needs: [],
        work: { kind: 'command', argv: ['make'] },
        cwd: '.',
        inputs: [],
        gates: [],
        retryMax: 0,
        timeoutMs: null,
        required: true,
        estimateMs: null,
      },
      expect.objectContaining({ work: { kind: 'agent', agent: 'coder', prompt: 'go' }, retryMax: 2 }),
    ],
  });
});

test('everything an author writes arrives, durations in milliseconds', () => {
  const text = `
name: My flow
concurrency: 8
budget: {launches: 5, tokens: 1000, cost_usd: 2.5, wall: 30m, depth: 2}
steps:
  - id: a
    agent: coder
    prompt_file: p.md
    needs: [b]
    cwd: packages/a
    inputs: ["src/**"]
    gates:
      - {file: out.txt}
      - {command: [npm, test]}
      - {command: [npm, test], timeout: 90}
      - {schema: s.json, file: out.json}
      - {diff: true}
      - {tools: 2}
      - {verifier: reviewer}
      - {approval: "Ship it?"}
    retry: {max: 4}
    timeout: 1h30m
    required: false
    estimate: 5m
`;
  expect(flow(text)).toEqual({
    name: 'My flow',
    concurrency: 8,
    budget: { launches: 5, tokens: 1000, costUsd: 2.5, wallMs: 1_800_000, depth: 2 },
    steps: [
      {
        id: 'a',
        needs: ['b'],
        work: { kind: 'agent', agent: 'coder', prompt: 'from p.md' },
        cwd: 'packages/a',
        inputs: ['src/**'],
        gates: [
          { kind: 'file', path: 'out.txt' },
          { kind: 'command', argv: ['npm', 'test'], timeoutMs: 600_000 },
          { kind: 'command', argv: ['npm', 'test'], timeoutMs: 90_000 },
          { kind: 'schema', path: 'out.json', schema: 's.json' },
          { kind: 'diff' },
          { kind: 'tools', min: 2 },
          { kind: 'verifier', agent: 'reviewer' },
          { kind: 'approval', question: 'Ship it?' },
        ],
        retryMax: 4,
        timeoutMs: 5_400_000,
        required: false,
        estimateMs: 300_000,
      },
    ],
  });
});

test('a command step may have any gate but the one that counts the tools of an agent', () => {
  expect(flow(step('command: [x], gates: [{file: a}, {approval: ok?}]'))).toMatchObject({
    steps: [{ gates: [{ kind: 'file' }, { kind: 'approval' }] }],
  });
});

test.each([
  ['steps: []', 'flow.yaml:1:8: steps: must have at least one step'],
  ['name: x', 'flow.yaml:1:1: steps: is missing'],
  ['name: "a\\nb"\nsteps: [{id: a, command: [x]}]', 'one line of at most 100 characters'],
  [step('needs: [b]'), 'flow.yaml:2:5: steps[0]: must have "command" or "agent"'],
  [step('command: [x], agent: coder, prompt: p'), 'steps[0]: must have "command" or "agent", not both'],
  [step('agent: coder'), 'steps[0].agent: needs "prompt" or "prompt_file"'],
  [step('agent: coder, prompt: a, prompt_file: b'), 'steps[0].prompt_file: does not go with "prompt"'],
  [
    step('agent: coder, prompt: a, gates: [{file: b}, {verifier: coder}]'),
    'steps[0].gates[1].verifier: must be another agent than that of the step',
  ],
  [step('command: [x], prompt: a'), 'steps[0].prompt: is for a step with "agent"'],
  [step('command: [x], gates: [{tools: 1}]'), 'steps[0].gates[0].tools: is for a step with "agent"'],
  [step('command: []'), 'steps[0].command[0]: is missing'],
  [step('command: make'), 'steps[0].command: must be a program and its arguments'],
  [step('command: [""]'), 'steps[0].command[0]: must be the name of a program'],
  [step('command: [sleep, 5]'), 'steps[0].command[1]: must be text (in quotes'],
  [step('command: ["a\\0b"]'), 'steps[0].command[0]: may not contain NUL'],
  [step('agent: coder, prompt: "a\\0b"'), 'steps[0].prompt: may not contain NUL'],
  [step('agent: coder, prompt: "\\ud800"'), 'steps[0].prompt: may not contain NUL or broken UTF-16'],
  [step('agent: ../x, prompt: p'), 'steps[0].agent: must be a name of letters'],
  [step('command: [x], cwd: ../up'), 'steps[0].cwd: must be a path below the project'],
  [step('command: [x], cwd: /etc'), 'steps[0].cwd: must be a path below the project'],
  [step('command: [x], timeout: soon'), 'steps[0].timeout: must be a duration such as'],
  [step('command: [x], timeout: 0s'), 'steps[0].timeout: must be a duration such as'],
  [step('command: [x], timeout: [1]'), 'steps[0].timeout: must be a duration such as'],
  [step('command: [x], timeout: 99999999d'), 'steps[0].timeout: must be a duration such as'],
  [step('command: [x], retry: {max: 1.5}'), 'steps[0].retry.max: must be a whole number from 0 to 10'],
  [step('command: [x], retry: {}'), 'steps[0].retry.max: is missing'],
  [step('command: [x], required: yes please'), 'steps[0].required: must be true or false'],
  [step('command: [x], gates: [{}]'), 'steps[0].gates[0]: must have one of schema, file, command'],
  [step('command: [x], gates: [{schema: s}]'), 'steps[0].gates[0].schema: needs the file that it describes'],
  [step('command: [x], gates: [{file: a, diff: true}]'), 'gates[0].diff: does not go with "file"'],
  [step('command: [x], gates: [{diff: false}]'), 'steps[0].gates[0].diff: must be true'],
  [
    step('command: [x], gates: [{file: ../a}]'),
    'gates[0].file: must be a path below the directory of the step',
  ],
  [step('comand: [x]'), 'steps[0]: unknown member "comand" (did you mean "command"?)'],
  [step('command: [x], gates: [{fil: a}]'), 'gates[0]: unknown member "fil" (did you mean "file"?)'],
  [
    'budget: {cost_usd: 0}\nsteps: [{id: a, command: [x]}]',
    'budget.cost_usd: must be a number greater than 0',
  ],
])('%j is refused with the sentence %j', (text, sentence) => {
  expect(flow(text)).toEqual([expect.stringContaining(sentence)]);
});
