import { openLibrary, type ComposeLibrary } from '../../../app/compose/compose-library.ts';
import { locate, type Place } from '../../../app/tutti.ts';
import { composeLayers, type ComposeLayer } from '../../../model/compose/layer.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { jsonFlag, type JsonFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { oneOf } from '../../parsers.ts';
import { ignoreUntrusted } from '../../read-project.ts';

export const examples = [
  ['tutti compose list', 'list all definitions'],
  ['tutti compose show ospec', 'show the stages of an orchestrator'],
  ['tutti compose new executor migrate', 'create an executor from a template'],
  ['tutti compose lint', 'check every file in compose/'],
  ['tutti compose exits 12', 'show how each layer handles an exit code'],
] as const;

export const layerArgument = {
  parse: oneOf(composeLayers),
  brief: composeLayers.join(', '),
  placeholder: 'LAYER',
  proposeCompletions: proposeLayers,
} as const;

/** On every command that can concern one layer. */
export const composeFlags = {
  layer: {
    kind: 'parsed',
    parse: oneOf(composeLayers),
    brief: `Only this layer: ${composeLayers.join(', ')}`,
    placeholder: 'LAYER',
    optional: true,
    proposeCompletions: proposeLayers,
  },
  json: jsonFlag,
} as const;

export interface ComposeFlags extends JsonFlag {
  readonly layer?: ComposeLayer;
}

function proposeLayers(partial: string): readonly string[] {
  return composeLayers.filter((layer) => layer.startsWith(partial));
}

/** Works with the definitions of the project; a folder need not be a project yet. */
export function withLibrary(
  context: Context,
  { json }: JsonFlag,
  work: (library: ComposeLibrary, place: Place) => Outcome,
): Outcome {
  const located = locate({ ...context, onIgnored: ignoreUntrusted(context, json) });
  if (!located.ok) return fail(context, located.error, json);
  context.protect(located.value.redactor);
  return work(openLibrary(located.value), located.value);
}
