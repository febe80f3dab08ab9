import { join } from 'node:path';
import type { ComposeLayer } from '../../model/compose/layer.ts';
import { openLibrary } from './compose-library.ts';

/** A definition that a call names. */
export interface NamedDefinition {
  readonly layer: ComposeLayer;
  readonly name: string;
}

/**
 * The files of a project that a call of this definition uses, whether a person trusts them or not: its own, if the project has one, with
 * its prompt, and those of the executors that its stages name. A name that a file of the project has never means the built-in definition
 * unasked.
 */
export function filesOfDefinition(project: string, { layer, name }: NamedDefinition): readonly string[] {
  const files = new Set<string>();
  const counts = (path: string): boolean => {
    files.add(join(project, path));
    return true;
  };
  const library = openLibrary({ paths: { root: project }, trust: { counts } });
  const definition = library.find(layer, name);
  if (definition?.layer === 'orchestrator' && definition.work.mode === 'tool')
    for (const { executor } of definition.work.stages) library.read('executor', executor);
  return [...files];
}
