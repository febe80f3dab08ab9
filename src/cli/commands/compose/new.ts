import { createDefinition } from '../../../app/compose/create-definition.ts';
import { type ComposeLayer } from '../../../model/compose/layer.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { oneOf } from '../../parsers.ts';
import { printJson, printLines } from '../../print.ts';
import { layerArgument, withLibrary } from './group.ts';

const modes = ['agent', 'tool'] as const;

interface NewFlags extends JsonFlag {
  readonly mode?: (typeof modes)[number];
}

export const command = defineCommand<NewFlags, [layer: ComposeLayer, name: string]>({
  reads: false,
  parameters: {
    flags: {
      mode: {
        kind: 'parsed',
        parse: oneOf(modes),
        brief: 'agent: a system prompt (default); tool: a configuration; not for executors',
        placeholder: 'MODE',
        optional: true,
        proposeCompletions: (partial: string) => modes.filter((mode) => mode.startsWith(partial)),
      },
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [layerArgument, { parse: String, brief: 'Name of the definition', placeholder: 'NAME' }],
    },
  },
  about:
    'Writes one file in compose/ that passes `compose lint`, for you to edit. Never replaces a file.\n' +
    'An executor is always a system prompt with actions in its front matter.',
  examples: [
    ['tutti compose new executor migrate', 'compose/executors/migrate.md'],
    ['tutti compose new orchestrator release --mode tool', 'compose/orchestrators/release.yaml'],
  ],
  run: create,
});

function create(flags: NewFlags, context: Context, layer: ComposeLayer, name: string): Outcome {
  return withLibrary(context, flags, (_, { paths }) => {
    const mode = flags.mode ?? 'agent';
    const created = createDefinition(paths.root, layer, name, mode);
    if (!created.ok) return fail(context, created.error, flags.json);
    const file = created.value;
    const shownMode = layer === 'executor' ? null : mode;
    if (flags.json) printJson<Output<'compose-new'>>(context, { layer, name, mode: shownMode, file });
    else printLines(context, [`wrote ${file}`, `  → edit it, then: tutti compose lint ${file}`]);
    return 'SUCCESS';
  });
}
