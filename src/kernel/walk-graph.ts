import { getKnown } from '../lib/get-known.ts';
import type { Failure } from '../model/failure.ts';
import { graphOf, sentenceOf, type GraphNode } from '../model/graph.ts';
import { StepFailed, type Ctx } from './ctx.ts';

/** A node whose time has come: everything it needs has ended, well or badly. */
export interface ReadyNode<End> {
  readonly id: string;
  /** Length of the longest chain that starts here: what is critical goes first. */
  readonly priority: number;
  readonly needs: readonly { readonly id: string; readonly end: End }[];
}

/** A launch of the node that was refused or lost. */
export interface FailedNode {
  readonly at: 'failed';
  readonly id: string;
  readonly failure: Failure;
}

/**
 * Visits each node of a graph as soon as what it needs has ended: no batches, no barriers. A refused or lost launch fails
 * its node and not the run, so that independent nodes continue. The ends come in topological order.
 */
export async function walkGraph<End>(
  ctx: Ctx,
  nodes: readonly GraphNode[],
  visit: (scope: Ctx, node: ReadyNode<End | FailedNode>) => Promise<End>,
): Promise<readonly (End | FailedNode)[]> {
  const read = graphOf(nodes);
  if (!read.ok) throw new Error(read.error.map(sentenceOf).join('; '));
  const graph = read.value;
  const ends = new Map<string, Promise<End | FailedNode>>();
  const arrive = async (scope: Ctx, id: string): Promise<End | FailedNode> => {
    const needed: { readonly id: string; readonly end: End | FailedNode }[] = [];
    // The order is topological: whatever a node needs has its promise already.
    for (const need of graph.needs(id)) needed.push({ id: need, end: await getKnown(ends, need) });
    try {
      return await visit(scope, { id, priority: graph.priority(id), needs: needed });
    } catch (error) {
      if (error instanceof StepFailed) return { at: 'failed', id, failure: error.failure };
      throw error;
    }
  };
  return ctx.all(
    graph.order.map((id) => (scope: Ctx) => {
      const end = arrive(scope, id);
      ends.set(id, end);
      return end;
    }),
  );
}
