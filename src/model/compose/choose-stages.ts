import type { GraphNode } from '../graph.ts';
import type { Part, Stage, StageSequence } from './definition.ts';

/** The modifier that means every stage, unless the file gives it another list. */
export const fullModifier = 'full';

/** A stage of a modifier: what it needs and what it reads are stages of the same modifier. */
export interface ChosenStage extends Stage {
  readonly needs: readonly string[];
}

export function listModifiers({ modifiers }: StageSequence): readonly string[] {
  return [...new Set([fullModifier, ...Object.keys(modifiers)])];
}

/** Parts as nodes of a graph: a part that names no needs comes after the one before it. */
export function orderParts(parts: readonly Part[]): readonly GraphNode[] {
  return parts.map(({ name, needs }, at) => ({ id: name, needs: needs ?? previousName(parts, at) }));
}

/** By node, all nodes that have ended when it starts. */
export function listBefore(nodes: readonly GraphNode[]): ReadonlyMap<string, ReadonlySet<string>> {
  const needs = new Map(nodes.map((node) => [node.id, node.needs]));
  return new Map(
    nodes.map(({ id }) => {
      const found = new Set(needs.get(id));
      // The set grows while it is walked: that is the queue.
      for (const each of found) for (const need of needs.get(each) ?? []) found.add(need);
      return [id, found];
    }),
  );
}

/**
 * The stages that a modifier names, in its order; null: there is no such modifier. Where a stage needs one that the modifier
 * leaves out, it needs what that one would have needed.
 */
export function chooseStages(work: StageSequence, modifier: string): readonly ChosenStage[] | null {
  const names = findModifier(work, modifier);
  if (names === null) return null;
  const chosen = names.flatMap((name) => work.stages.filter((stage) => stage.name === name));
  const isChosen = new Set(chosen.map(({ name }) => name));
  const nodes = new Map(orderParts(work.stages).map((node) => [node.id, node.needs]));
  const replaceLeftOut = (need: string, seen: ReadonlySet<string>): readonly string[] => {
    if (isChosen.has(need)) return [need];
    if (seen.has(need)) return [];
    const further = new Set([...seen, need]);
    return (nodes.get(need) ?? []).flatMap((each) => replaceLeftOut(each, further));
  };
  return chosen.map((stage, at) => ({
    ...stage,
    needs:
      stage.needs === null
        ? previousName(chosen, at)
        : [...new Set(stage.needs.flatMap((need) => replaceLeftOut(need, new Set())))],
    inputs: stage.inputs.filter((input) => isChosen.has(input)),
  }));
}

function findModifier({ stages, modifiers }: StageSequence, modifier: string): readonly string[] | null {
  const listed = Object.hasOwn(modifiers, modifier) ? modifiers[modifier] : undefined;
  if (listed !== undefined) return listed;
  return modifier === fullModifier ? stages.map(({ name }) => name) : null;
}

function previousName(parts: readonly Part[], at: number): readonly string[] {
  return parts.slice(Math.max(0, at - 1), at).map(({ name }) => name);
}
