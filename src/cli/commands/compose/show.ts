import { describeDefinition } from '../../../app/compose/describe-definition.ts';
import { findDefinition } from '../../../app/compose/find-definition.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { printJson, printLines } from '../../print.ts';
import { definitionLines } from '../../render/definition-lines.ts';
import { painter } from '../../render/style.ts';
import { type ComposeFlags, composeFlags, withLibrary } from './group.ts';

export const command = defineCommand<ComposeFlags, [name: string]>({
  reads: true,
  parameters: {
    flags: composeFlags,
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: String,
          brief: 'Name of a definition',
          placeholder: 'NAME',
          proposeCompletions: proposeDefinitions,
        },
      ],
    },
  },
  about: 'Shows actions, stages or phases with their defaults, the system prompt, and the recommended depth.',
  examples: [
    ['tutti compose show ospec', 'show its stages and modifiers'],
    ['tutti compose show spec --json', 'print an executor as JSON'],
  ],
  run: show,
});

async function proposeDefinitions(this: Context, partial: string): Promise<readonly string[]> {
  const { definitionNames } = await import('../../completions/ids.ts');
  return definitionNames(this, partial);
}

function show(flags: ComposeFlags, context: Context, name: string): Outcome {
  return withLibrary(context, flags, (library) => {
    const found = findDefinition(library, name, flags.layer);
    if (!found.ok) return fail(context, found.error, flags.json);
    const shown = describeDefinition(found.value, library);
    if (flags.json) printJson<Output<'compose-show'>>(context, shown);
    else printLines(context, definitionLines(shown, painter(context.screen.colour)));
    return 'SUCCESS';
  });
}
