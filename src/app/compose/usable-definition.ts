import { err, ok, type Result } from '../../lib/result.ts';
import type { Definition } from '../../model/compose/definition.ts';
import type { ComposeLayer } from '../../model/compose/layer.ts';
import { lintDefinition } from '../../model/compose/lint-definition.ts';
import { refusalOfProblems, type Refusal } from '../refusal.ts';
import type { ComposeLibrary } from './compose-library.ts';
import { findDefinition } from './find-definition.ts';

/** The definition of a name in a layer, if it breaks no rule that keeps it from running. */
export function findUsable<LAYER extends ComposeLayer>(
  library: ComposeLibrary,
  layer: LAYER,
  name: string,
): Result<Extract<Definition, { readonly layer: LAYER }>, Refusal> {
  const found = findDefinition(library, name, layer);
  if (!found.ok) return found;
  const read = library.read(layer, name);
  // Depth is advice for people; admission decides about it.
  const issues = lintDefinition(found.value, { library, maxDepth: Number.POSITIVE_INFINITY });
  const findings = read?.ok === true ? issues.map(read.value.locate) : [];
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return err(refusalOfProblems(errors, 'check all definitions: tutti compose lint'));
  if (!isOf(found.value, layer)) throw new Error(`${name} was looked up as ${layer}`);
  return ok(found.value);
}

function isOf<LAYER extends ComposeLayer>(
  definition: Definition,
  layer: LAYER,
): definition is Extract<Definition, { readonly layer: LAYER }> {
  return definition.layer === layer;
}
