import { isObject, type Json, recorded } from '../../lib/json.ts';
import type { Ctx, Workflow, OutlineStep } from '../../kernel/ctx.ts';
import { graphOf, sentenceOf, type GraphNode } from '../../model/graph.ts';
import { StepFailed } from '../../kernel/ctx.ts';
import type { FlowInput, FlowStep } from '../../model/flow.ts';
import { agentStep } from './agent-step.ts';
import { commandStep } from './command-step.ts';
import type { StepPlace } from './place.ts';
import { endOfFlow, type FlowValue, type StepVerdict } from './verdict.ts';

/** A graph of steps, each started as soon as what it needs is done: no batches, no barriers. */
export const flowWorkflow: Workflow = {
  name: 'flow',
  run: runFlow,
  end: endOfFlow,
  stepEnds: (value) =>
    new Map(isObject(value) ? recorded<FlowValue>(value).steps.map(({ id, at }) => [id, at]) : []),
  outline: (input) =>
    recorded<FlowInput>(input).flow.steps.map((step) => ({
      id: step.id,
      needs: step.needs,
      proof: proofOf(step),
    })),
};

async function runFlow(ctx: Ctx, json: Json): Promise<Json> {
  const input = recorded<FlowInput>(json);
  const { steps } = input.flow;
  const plan = graphOf(nodesOf(steps));
  if (!plan.ok) throw new Error(plan.error.map(sentenceOf).join('; '));
  const byId = new Map(steps.map((step) => [step.id, step]));
  const verdicts = new Map<string, Promise<StepVerdict>>();
  // In topological order, so that whatever a step needs already has its promise.
  const parts = plan.value.order.map((id) => (scope: Ctx) => {
    const step = byId.get(id);
    if (step === undefined) throw new Error(`the plan names '${id}', which the flow does not have`);
    const verdict = afterNeeds(scope, step, input, verdicts, plan.value.priority(id));
    verdicts.set(id, verdict);
    return verdict;
  });
  const ended = await ctx.all(parts);
  const value: FlowValue = {
    steps: ended,
    optional: steps.filter(({ required }) => !required).map(({ id }) => id),
  };
  return recorded<Json>(value);
}

function proofOf({ work, gates }: FlowStep): NonNullable<OutlineStep['proof']> {
  return work.kind === 'command' && gates.length === 0 ? 'any' : 'verdict';
}

/** Where only some steps have an estimate, the others count like the average of those. */
export function nodesOf(steps: readonly FlowStep[]): readonly GraphNode[] {
  const known = steps.flatMap(({ estimateMs }) => estimateMs ?? []);
  const usual = known.length === 0 ? 1 : known.reduce((sum, ms) => sum + ms, 0) / known.length;
  return steps.map(({ id, needs, estimateMs }) => ({ id, needs, estimate: estimateMs ?? usual }));
}

async function afterNeeds(
  ctx: Ctx,
  step: FlowStep,
  input: FlowInput,
  verdicts: ReadonlyMap<string, Promise<StepVerdict>>,
  priority: number,
): Promise<StepVerdict> {
  // Without a prototype: an ordinary object would make the engine learn a new shape for every step of a large plan.
  const upstream: Record<string, string> = Object.create(null);
  for (const need of step.needs) {
    const verdict = await verdicts.get(need);
    if (verdict?.at !== 'succeeded') return { at: 'skipped', id: step.id, because: need };
    upstream[need] = verdict.digest;
  }
  const place: StepPlace = { step, input, upstream, priority };
  try {
    return step.work.kind === 'command'
      ? await commandStep(ctx, place, step.work)
      : await agentStep(ctx, place, step.work);
  } catch (error) {
    // A refused or lost launch fails its step, not the run: independent steps go on.
    if (error instanceof StepFailed) return { at: 'failed', id: step.id, failure: error.failure };
    throw error;
  }
}
