import { getKnown } from '../../lib/get-known.ts';
import { type Json, recorded } from '../../lib/json.ts';
import type { Ctx, Workflow } from '../../kernel/ctx.ts';
import { walkGraph, type ReadyNode } from '../../kernel/walk-graph.ts';
import type { GraphNode } from '../../model/graph.ts';
import type { FlowInput, FlowStep } from '../../model/flow.ts';
import { outlines } from '../../model/outline.ts';
import { agentStep } from './agent-step.ts';
import { commandStep } from './command-step.ts';
import type { StepInRun } from './step-in-run.ts';
import { endOfFlow, type FlowValue, type StepVerdict } from './verdict.ts';

/** A graph of steps, each started as soon as what it needs is done: no batches, no barriers. */
export const flowWorkflow: Workflow = {
  name: 'flow',
  run: runFlow,
  end: endOfFlow,
  ...outlines.flow,
};

async function runFlow(ctx: Ctx, json: Json): Promise<Json> {
  const input = recorded<FlowInput>(json);
  const { steps } = input.flow;
  const byId = new Map(steps.map((step) => [step.id, step]));
  const ended = await walkGraph<StepVerdict>(ctx, nodesOf(steps), (scope, node) =>
    runStep(scope, input, getKnown(byId, node.id), node),
  );
  const value: FlowValue = {
    steps: ended,
    optional: steps.filter(({ required }) => !required).map(({ id }) => id),
  };
  return recorded<Json>(value);
}

/** Where only some steps have an estimate, the others count like the average of those. */
export function nodesOf(steps: readonly FlowStep[]): readonly GraphNode[] {
  const known = steps.flatMap(({ estimateMs }) => estimateMs ?? []);
  const usual = known.length === 0 ? 1 : known.reduce((sum, ms) => sum + ms, 0) / known.length;
  return steps.map(({ id, needs, estimateMs }) => ({ id, needs, estimate: estimateMs ?? usual }));
}

async function runStep(
  ctx: Ctx,
  input: FlowInput,
  step: FlowStep,
  { needs, priority }: ReadyNode<StepVerdict>,
): Promise<StepVerdict> {
  // Without a prototype: an ordinary object would make the engine learn a new shape for every step of a large plan.
  const upstream: Record<string, string> = Object.create(null);
  for (const { id, end } of needs) {
    if (end.at !== 'succeeded') return { at: 'skipped', id: step.id, because: id };
    upstream[id] = end.digest;
  }
  const place: StepInRun = { step, input, upstream, priority };
  return step.work.kind === 'command' ? commandStep(ctx, place, step.work) : agentStep(ctx, place, step.work);
}
