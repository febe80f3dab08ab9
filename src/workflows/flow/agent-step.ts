import { plain } from '../../lib/json.ts';
import { agentWork } from '../../kernel/agent-work.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { digestWork } from '../../kernel/digest-work.ts';
import type { FlowWork } from '../../model/flow.ts';
import { keyOf } from '../../model/key.ts';
import type { TurnOutcome } from '../../model/turn.ts';
import { passStepGates } from './step-gates.ts';
import { identityOf, inputDigest, optionsOf, type StepInRun } from './step-in-run.ts';
import { agentOf, turnSpec } from './turn-spec.ts';
import { type StepVerdict, verdictStep } from './verdict.ts';

/** One agent, until its work passes its gates. */
export async function agentStep(
  ctx: Ctx,
  place: StepInRun,
  work: Extract<FlowWork, { kind: 'agent' }>,
): Promise<StepVerdict> {
  const { step } = place;
  const agent = agentOf(place, work.agent);
  const identity = plain({ ...identityOf(place, await inputDigest(ctx, place)), agent, prompt: work.prompt });
  const { ended, key, failure } = await agentWork(ctx, {
    id: step.id,
    identity,
    words: work.prompt,
    prompt: work.prompt,
    retryMax: step.retryMax,
    gated: step.gates.length > 0,
    spec: (turn) => turnSpec(place, agent, turn),
    judge: ({ toolCalls, result }, after) =>
      passStepGates(ctx, place, after, { toolCalls, artifacts: result?.artifacts ?? [] }),
    progress: (turn, after) => progressOf(ctx, place, after, turn),
  });
  const verdict: StepVerdict =
    failure === null ? await successOf(ctx, place, key, ended) : { at: 'failed', id: step.id, failure };
  return verdictStep(ctx, place, key, verdict);
}

async function successOf(
  ctx: Ctx,
  place: StepInRun,
  after: string,
  { result, text }: TurnOutcome,
): Promise<StepVerdict> {
  const { id } = place.step;
  const summary = result?.summary ?? text;
  const artifacts = [...(result?.artifacts ?? [])];
  const work = { id, after, summary, artifacts, place: optionsOf(place, 'later', null) };
  return { at: 'succeeded', id, summary, digest: await digestWork(ctx, work) };
}

/** What the turn left in the workspace: equal digests mean that nothing moved. */
function progressOf(ctx: Ctx, place: StepInRun, after: string, ended: TurnOutcome): Promise<string> {
  const key = keyOf(`${place.step.id}/progress`, { after });
  const args = { artifacts: [...(ended.result?.artifacts ?? [])] };
  return ctx.operation(key, 'progress', args, optionsOf(place, 'later', null));
}
