import { command, jsonFlag } from '../command.ts';
import type { TrustFlags } from '../commands/trust.ts';

const off = { kind: 'boolean', default: false, withNegated: false } as const;

export const trust = command<TrustFlags, [folder?: string]>({
  load: async () => (await import('../commands/trust.ts')).trust,
  reads: false,
  parameters: {
    flags: {
      show: { ...off, brief: 'Only list what it brings; exit with 1 if it is not trusted' },
      revoke: { ...off, brief: 'Revoke the trust' },
      state: { ...off, brief: 'Use a .tutti/ that was not made here, after a look at its runs' },
      yes: { ...off, brief: 'Do not ask' },
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: String,
          brief: 'Repository, or the file of a flow in it; default: the current one',
          placeholder: 'PATH',
          optional: true,
        },
      ],
    },
  },
  brief: 'Decide whether to use what this repository brings',
  about:
    'A clone runs nothing unasked. Its tutti.yaml, flows, agents, skills, settings for agent CLIs and its own commands\n' +
    '(install, test, lint) count once you trust them, as they are now; what changes later is asked about again. Until then\n' +
    'tutti.yaml may lower what your own configuration allows, and never raise it. Trust holds for the repository and all\n' +
    'its worktrees, not for a copy, and is recorded outside of it.',
  examples: [
    ['tutti trust', 'list what it brings, then ask'],
    ['tutti trust --show', 'only list it, with changes since'],
    ['tutti trust flow.yaml', 'the same, with a flow outside flows/'],
    ['tutti trust --yes', 'without asking, in a script'],
    ['tutti trust --revoke', 'revoke it'],
    ['tutti trust --state', 'use a .tutti/ that was moved, copied or restored'],
  ],
});
