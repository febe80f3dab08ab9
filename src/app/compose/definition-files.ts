import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isSafeName } from '../../lib/ids.ts';
import type { ComposeLayer } from '../../model/compose/layer.ts';
import { openLibrary } from './compose-library.ts';
import { borrowedPaths, definitionPaths } from './definition-places.ts';

/** A definition that a call names. */
export interface NamedDefinition {
  readonly layer: ComposeLayer;
  readonly name: string;
}

/**
 * The files of a project that a call of this definition uses, whether a person trusts them or not: its own, if the project has one, and
 * those of the executors that its stages name. A name that a file of the project has never means the built-in definition unasked.
 */
export function filesOfDefinition(project: string, { layer, name }: NamedDefinition): readonly string[] {
  if (!isSafeName(name)) return [];
  const own = findDefinitionFile(project, { layer, name });
  const library = openLibrary({ paths: { root: project }, trust: { counts: () => true } });
  const definition = library.find(layer, name);
  const stages =
    definition?.layer === 'orchestrator' && definition.work.mode === 'tool' ? definition.work.stages : [];
  const executors = new Set(stages.map(({ executor }) => executor));
  return [
    ...(own === null ? [] : [join(project, own)]),
    ...[...executors].flatMap((each) => filesOfDefinition(project, { layer: 'executor', name: each })),
  ];
}

/** The file of the project that defines a name, relative to it; null: it has none. */
function findDefinitionFile(project: string, { layer, name }: NamedDefinition): string | null {
  const all = [...definitionPaths(layer, name), ...(layer === 'executor' ? borrowedPaths(name) : [])];
  return all.find((path) => existsSync(join(project, path))) ?? null;
}
