import type { ExecutorAction, ExecutorDefinition } from './definition.ts';

/** The action of that name, with the rules it works by; null: the executor declares others and not this one. */
export function findAction({ vocabulary }: ExecutorDefinition, name: string): ExecutorAction | null {
  if (vocabulary.kind === 'open')
    return { name, description: '', args: [], answers: [], ...vocabulary.rules };
  return vocabulary.actions.find((action) => action.name === name) ?? null;
}
