import { command, jsonFlag } from '../command.ts';
import type { TrustFlags } from '../commands/trust.ts';

const off = { kind: 'boolean', default: false, withNegated: false } as const;

export const trust = command<TrustFlags, [folder?: string]>({
  load: async () => (await import('../commands/trust.ts')).trust,
  parameters: {
    flags: {
      show: { ...off, brief: 'Only list what it brings; exit with 1 if it is not trusted' },
      revoke: { ...off, brief: 'Revoke the trust' },
      yes: { ...off, brief: 'Do not ask' },
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, brief: 'Repository; default: the current one', placeholder: 'DIR', optional: true },
      ],
    },
  },
  brief: "Allow agents to use this repository's settings and hooks",
  about:
    'Without a terminal agent CLIs do not ask whether a repository is trusted, so Tutti keeps them from its settings,\n' +
    'hooks, servers and plugins until you trust it, and refuses those that cannot be kept. Trust holds for the repository\n' +
    'and all its worktrees, not for a copy; it is remembered outside of it.',
  examples: [
    ['tutti trust', 'list what it brings, then ask'],
    ['tutti trust --show', 'only list it, with changes since'],
    ['tutti trust --yes', 'without asking, in a script'],
    ['tutti trust --revoke', 'revoke it'],
  ],
});
