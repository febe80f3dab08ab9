import { command, jsonFlag } from '../command.ts';
import type { TrustFlags } from '../commands/trust.ts';

const off = { kind: 'boolean', default: false, withNegated: false } as const;

export const trust = command<TrustFlags, [folder?: string]>({
  load: async () => (await import('../commands/trust.ts')).trust,
  parameters: {
    flags: {
      show: { ...off, brief: 'Only show what it brings; code 1 when it is not trusted' },
      revoke: { ...off, brief: 'Trust it no more' },
      yes: { ...off, brief: 'Do not ask' },
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, brief: 'In which repository; without it, here', placeholder: 'DIR', optional: true },
      ],
    },
  },
  brief: 'Let agents use the settings and hooks that this repository brings',
  about:
    'Without a terminal agent CLIs do not ask whether a repository is trusted, so Tutti keeps them from its settings,\n' +
    'hooks, servers and plugins until you trust it, and refuses those that cannot be kept. Trust holds for the repository\n' +
    'and all its worktrees, not for a copy; it is remembered outside of it.',
  examples: [
    ['tutti trust', 'see what it brings, and be asked'],
    ['tutti trust --show', 'only see it, with what changed since'],
    ['tutti trust --yes', 'without being asked, in a script of yours'],
    ['tutti trust --revoke', 'not any more'],
  ],
});
