import { type Ctx, StepFailed } from '../../kernel/ctx.ts';
import { digestWork } from '../../kernel/digest-work.ts';
import { recordVerdict } from '../../kernel/record-verdict.ts';
import { type FailedTry, mayRetry } from '../../kernel/retry.ts';
import { type FailedNode, type ReadyNode, walkGraph } from '../../kernel/walk-graph.ts';
import { getKnown } from '../../lib/get-known.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { endStages } from '../../model/compose/end-stages.ts';
import type { CallEnd } from '../../model/compose/executor-call.ts';
import {
  allowsNext,
  compressStages,
  depthOutcome,
  listScopesBeside,
  type OrchestratorInput,
  type OrchestratorValue,
  receive,
  type StageCall,
  type StageEnd,
  stageStep,
} from '../../model/compose/orchestrator-call.ts';
import type { WriteScope } from '../../model/compose/write-scope.ts';
import { type Failure, failure as failureOf } from '../../model/failure.ts';
import { keyOf } from '../../model/key.ts';
import { propagationOf } from '../../model/propagation.ts';
import { type EndedCall, executeCall } from './executor-work.ts';

/** The run of an orchestrator while its stages end. */
interface StagesInRun {
  readonly input: OrchestratorInput;
  readonly stages: ReadonlyMap<string, StageCall>;
  readonly beside: ReadonlyMap<string, readonly WriteScope[]>;
  /** What a stage reads of it has ended before the stage begins. */
  readonly ends: Map<string, StageEnd>;
}

/** Layer 2 in tool mode: each stage calls its executor as soon as the stages that it needs have ended. */
export async function runStages(ctx: Ctx, input: OrchestratorInput): Promise<OrchestratorValue> {
  const { stages, shared } = compressStages(input.stages, input.levels);
  const run: StagesInRun = {
    input,
    stages: new Map(stages.map((stage) => [stage.name, stage])),
    beside: listScopesBeside({ ...input, stages }),
    ends: new Map(),
  };
  const nodes = stages.map(({ name, needs }) => ({ id: name, needs }));
  await walkGraph<StageEnd>(ctx, nodes, async (scope, node) => {
    const end = await runStage(scope, run, node).catch((error: unknown) => endOfRefusal(node.id, error));
    run.ends.set(node.id, end);
    return end;
  });
  const [first] = shared;
  const ends = input.stages.map(({ name }): StageEnd => {
    const end = getKnown(run.ends, first !== undefined && shared.includes(name) ? first : name);
    return { ...end, name };
  });
  return endStages(input, ends);
}

async function runStage(
  ctx: Ctx,
  run: StagesInRun,
  { id: name, priority, needs }: ReadyNode<StageEnd | FailedNode>,
): Promise<StageEnd> {
  const stage = getKnown(run.stages, name);
  const blocker = needs.find(
    ({ id }) => !allowsNext(getKnown(run.ends, id), getKnown(run.stages, id).required),
  );
  if (blocker !== undefined) return { at: 'not-run', name, because: blocker.id };
  const step = stageStep(run.input.orchestrator, name);
  const { end, after } = await callUntilAccepted(ctx, run, stage, priority);
  const { outcome, summary, artifacts } = end;
  const place = { workspace: run.input.projectDir, priority };
  const digest =
    outcome === 'SUCCESS' ? await digestWork(ctx, { id: step, after, summary, artifacts, place }) : outcome;
  return recordVerdict<StageEnd>(ctx, step, after, { verdict: { at: 'ended', name, end, digest }, outcome });
}

/** The call of a stage, and again where the table of propagation says so and something may change. */
async function callUntilAccepted(
  ctx: Ctx,
  run: StagesInRun,
  stage: StageCall,
  priority: number,
): Promise<EndedCall> {
  const { input, ends, beside } = run;
  const step = stageStep(input.orchestrator, stage.name);
  const tries: FailedTry[] = [];
  for (;;) {
    const id = tries.length === 0 ? step : `${step}/retry-${tries.length}`;
    const received = receive(stage, ends);
    const last = tries.at(-1)?.failure;
    const blocks = last === undefined ? received.blocks : [...received.blocks, describeLastTry(last)];
    const job = {
      id,
      call: stage.call,
      place: input,
      judges: input.judges,
      priority,
      received: { ...received, blocks },
      beside: getKnown(beside, stage.name),
    };
    const ended = input.levels < 1 ? tooDeep(id, stage) : await callOrRefusal(ctx, stage, job);
    const { outcome, failure } = ended.end;
    if (failure === null || propagationOf('orchestrator', outcome) !== 'retry-once-then-raise') return ended;
    tries.push({ failure, of: failure.message, progress: '' });
    const decision = mayRetry(tries, stage.retryMax);
    if (decision.verdict === 'give-up')
      return {
        ...ended,
        end: { ...ended.end, outcome: decision.failure.outcome, failure: decision.failure },
      };
  }
}

/** The call, or why its first turn was not launched. */
async function callOrRefusal(
  ctx: Ctx,
  stage: StageCall,
  job: Parameters<typeof executeCall>[1],
): Promise<EndedCall> {
  try {
    return await executeCall(ctx, job);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    const { failure, key } = error;
    return failure.reason === 'depth' ? tooDeep(job.id, stage) : { end: refused(failure), after: key };
  }
}

/** What could not be looked at or recorded fails its stage, and no other one. */
function endOfRefusal(name: string, error: unknown): StageEnd {
  if (!(error instanceof StepFailed)) throw error;
  return { at: 'ended', name, end: refused(error.failure), digest: error.failure.outcome };
}

/** No session fits below the caller: the stage says whether that ends the orchestrator or is a request for more depth. */
function tooDeep(id: string, stage: StageCall): EndedCall {
  const outcome = depthOutcome(stage);
  const message = `${stage.name} needs one more level of sessions: allow more with --max-depth`;
  return { end: refused(failureOf('depth', message, { outcome })), after: keyOf(`${id}/depth`, { outcome }) };
}

function refused(failure: Failure): CallEnd {
  const { outcome } = failure;
  const nothing = {
    sessionId: null,
    summary: '',
    artifacts: [],
    answer: null,
    rescue: null,
    refinement: null,
  };
  return { ...nothing, outcome, failure };
}

function describeLastTry({ message }: Failure): string {
  return `## Previous attempt (data)\n\nThis stage was tried before and failed: ${oneLine(message, 1_000)}`;
}
