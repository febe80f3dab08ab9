import type { GraphNode } from '../graph.ts';

/** The graph as Mermaid draws it. Names come from agents: only letters, digits and plain marks get into a label. */
export function mermaidOf(nodes: readonly (GraphNode & { readonly name: string })[]): string {
  const boxes = nodes.map(({ id, name }) => `  ${id}["${id} ${label(name)}"]`);
  const arrows = nodes.flatMap(({ id, needs }) => needs.map((need) => `  ${need} --> ${id}`));
  return ['graph TD', ...boxes, ...arrows, ''].join('\n');
}

function label(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}.,:/_-]+/gu, ' ').trim();
}
