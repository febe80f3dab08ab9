import type { Outcome } from '../../model/outcome.ts';
import { completionScripts } from '../completions/scripts.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../define-command.ts';
import { oneOf } from '../parsers.ts';
import { printJson } from '../print.ts';

export const command = defineCommand<JsonFlag, [shell: 'bash' | 'zsh' | 'fish']>({
  reads: true,
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: oneOf(['bash', 'zsh', 'fish']),
          brief: 'bash, zsh or fish',
          placeholder: 'SHELL',
          proposeCompletions: (partial) =>
            ['bash', 'zsh', 'fish'].filter((shell) => shell.startsWith(partial)),
        },
      ],
    },
  },
  about: 'The script calls `tutti` for every completion, so it is never out of date.',
  examples: [
    ['source <(tutti completions bash)', 'add to ~/.bashrc'],
    ['source <(tutti completions zsh)', 'add to ~/.zshrc, after compinit'],
    ['tutti completions fish | source', 'add to ~/.config/fish/config.fish'],
  ],
  run: completions,
});

function completions({ json }: JsonFlag, context: Context, shell: keyof typeof completionScripts): Outcome {
  const script = completionScripts[shell];
  if (json) printJson(context, { shell, script });
  else context.process.stdout.write(script);
  return 'SUCCESS';
}
