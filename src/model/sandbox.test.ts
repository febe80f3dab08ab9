import { expect, test } from 'vitest';
import {
  autoSandbox,
  chooseSandbox,
  describeSandbox,
  refuseUnlimited,
  type SandboxConfig,
  type SandboxFacts,
} from './sandbox.ts';

const claude: SandboxFacts = {
  program: { kind: 'cli', hasOwnSandbox: false, deniesCommands: true },
  readsOnly: false,
  bubbleProblem: () => null,
};
const mine: SandboxFacts = { ...claude, program: { kind: 'program', obeysTools: false } };
const protocol: SandboxFacts = { ...claude, program: { kind: 'program', obeysTools: true } };
const codex: SandboxFacts = {
  ...claude,
  program: { kind: 'cli', hasOwnSandbox: true, deniesCommands: false },
};
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
    'a program of the operator',
    { ...mine, bubbleProblem: unasked },
    'off',
    'sandbox off: auto does not sandbox programs of your own; sandbox: workspace does',
  ],
  [
    'a program of the operator whose agent only reads',
    { ...mine, readsOnly: true },
    'workspace',
    'sandbox workspace: this agent has no tool that writes, so its workspace is read-only',
  ],
  [
    'a program of the operator that asks before it writes',
    { ...protocol, readsOnly: true, bubbleProblem: unasked },
    'off',
    'sandbox off: auto does not sandbox programs of your own; sandbox: workspace does',
  ],
  ['a CLI whose agent only reads', { ...claude, readsOnly: true }, 'workspace', 'sandbox workspace'],
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
  const facts = { ...claude, bubbleProblem: unasked };
  const choice = chooseSandbox({ ...autoSandbox, mode }, facts);
  expect(choice.mode).toBe(mode);
  expect(describeSandbox(choice)).toBe(`sandbox ${mode}`);
});

const unlimited =
  'this agent has no tool that writes, and only a sandbox keeps a program of yours from writing: ';

test.for([
  ['auto', { ...mine, readsOnly: true, bubbleProblem: absent }, `${unlimited}bwrap is not on PATH`],
  ['off', { ...mine, readsOnly: true, bubbleProblem: unasked }, `${unlimited}tutti.yaml says sandbox: off`],
  ['strict', { ...mine, readsOnly: true, bubbleProblem: unasked }, null],
  ['auto', { ...mine, readsOnly: true }, null],
  ['auto', { ...mine, bubbleProblem: absent }, null],
  ['off', { ...protocol, readsOnly: true, bubbleProblem: unasked }, null],
  ['off', { ...claude, readsOnly: true, bubbleProblem: unasked }, null],
] as const satisfies readonly (readonly [SandboxConfig['mode'], SandboxFacts, string | null])[])(
  'with sandbox %s, a program is refused only where nothing else limits its agent',
  ([mode, facts, words]) => {
    expect(refuseUnlimited(chooseSandbox({ ...autoSandbox, mode }, facts))).toBe(words);
  },
);
