import { expect, test } from 'vitest';
import { autoSandbox, chooseSandbox, describeSandbox, type SandboxFacts } from './sandbox.ts';

const claude: SandboxFacts = {
  program: { kind: 'cli', hasOwnSandbox: false },
  startsSessions: false,
  bubbleProblem: () => null,
};
const codex: SandboxFacts = { ...claude, program: { kind: 'cli', hasOwnSandbox: true } };
const absent = (): string => 'bwrap is not on PATH';

function unasked(): never {
  throw new Error('the machine was asked although the answer does not matter');
}

test.for([
  ['a CLI where bwrap works', claude, 'workspace', 'sandbox workspace'],
  ['a CLI with its own sandbox where bwrap works', codex, 'workspace', 'sandbox workspace'],
  [
    'a CLI where bwrap does not work',
    { ...claude, bubbleProblem: absent },
    'off',
    'sandbox off: bwrap is not on PATH',
  ],
  [
    'a CLI with its own sandbox where bwrap does not work',
    { ...codex, bubbleProblem: absent },
    'off',
    'sandbox of the CLI itself: bwrap is not on PATH',
  ],
  [
    'an agent that may start sessions',
    { ...claude, startsSessions: true, bubbleProblem: unasked },
    'off',
    'sandbox off: this agent may start sessions, which no sandboxed agent can',
  ],
  [
    'a program of the operator',
    { ...claude, program: { kind: 'program' }, bubbleProblem: unasked },
    'off',
    'sandbox off: auto does not sandbox programs of your own; sandbox: workspace does',
  ],
  [
    'the player of cassettes',
    { ...claude, program: { kind: 'player' }, bubbleProblem: unasked },
    'off',
    'sandbox off: a cassette is played by Tutti itself',
  ],
] as const satisfies readonly (readonly [string, SandboxFacts, string, string])[])(
  'auto gives %s a sandbox, or says why not',
  ([, facts, mode, words]) => {
    const choice = chooseSandbox(autoSandbox, facts);
    expect(choice.mode).toBe(mode);
    expect(describeSandbox(choice)).toBe(words);
  },
);

test.for(['off', 'workspace', 'strict'] as const)('%s is what it says, for every agent', (mode) => {
  const facts = { ...claude, startsSessions: true, bubbleProblem: unasked };
  const choice = chooseSandbox({ ...autoSandbox, mode }, facts);
  expect(choice.mode).toBe(mode);
  expect(describeSandbox(choice)).toBe(`sandbox ${mode}`);
});
