import { didYouMean } from '../../lib/nearest.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { listWords } from '../../lib/word-list.ts';
import type { Definition } from '../../model/compose/definition.ts';
import { composeLayers, type ComposeLayer } from '../../model/compose/layer.ts';
import { quoted } from '../../model/schemas/code-frame.ts';
import { refusal, refusalOfProblems, type Refusal } from '../refusal.ts';
import type { ComposeLibrary } from './compose-library.ts';
import type { Finding } from './finding.ts';

/** The definition that a name means. `layer`: for a name that several layers have. */
export function findDefinition(
  library: ComposeLibrary,
  name: string,
  layer: ComposeLayer | undefined,
): Result<Definition, Refusal> {
  const layers = layer === undefined ? composeLayers : [layer];
  const found = layers.flatMap((each) => {
    const read = library.read(each, name);
    return read === null ? [] : [{ layer: each, read }];
  });
  const [first, ...others] = found;
  if (first === undefined) return err(describeMissing(library, name, layers));
  if (others.length > 0) {
    const words = listWords(
      found.map((each) => each.layer),
      'and',
    );
    const hint = `choose one: tutti compose show ${name} --layer ${first.layer}`;
    return err(refusal('USAGE', `'${name}' is the name of several definitions: ${words}`, hint));
  }
  if (first.read.ok) return ok(first.read.value.definition);
  return err(refusalOfProblems(first.read.error, 'check all definitions: tutti compose lint'));
}

function describeMissing(library: ComposeLibrary, name: string, layers: readonly ComposeLayer[]): Refusal {
  const known = layers.flatMap((each) => library.names(each));
  const noun = layers.length === 1 ? layers.join('') : 'definition';
  const message = `there is no ${noun} ${quoted(name)}${didYouMean(name, known)}`;
  return refusal('USAGE', message, 'see which there are: tutti compose list');
}

export interface DefinitionList {
  readonly definitions: readonly Definition[];
  /** Files that cannot be used. */
  readonly findings: readonly Finding[];
}

/** Every definition of a project and every built-in one, bottom layer first. */
export function listDefinitions(library: ComposeLibrary, layer: ComposeLayer | undefined): DefinitionList {
  const layers = layer === undefined ? composeLayers : [layer];
  const read = layers.flatMap((each) =>
    library.names(each).flatMap((name) => library.read(each, name) ?? []),
  );
  return {
    definitions: read.flatMap((each) => (each.ok ? [each.value.definition] : [])),
    findings: read.flatMap((each) => (each.ok ? [] : each.error)),
  };
}
