import { err, ok, type Result } from '../../lib/result.ts';
import {
  type ChosenStage,
  chooseStages,
  fullModifier,
  listModifiers,
} from '../../model/compose/choose-stages.ts';
import type { StageSequence } from '../../model/compose/definition.ts';
import { callLines, selfHealMax } from '../../model/compose/executor-call.ts';
import { type OrchestratorInput, type StageCall, stageStep } from '../../model/compose/orchestrator-call.ts';
import { verifierOfGate } from '../../model/flow.ts';
import { snapshotAgents } from '../agents/snapshot-agents.ts';
import { type ComposeLibrary, openLibrary } from '../compose/compose-library.ts';
import { findUsable } from '../compose/usable-definition.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Place } from '../tutti.ts';
import { type CallRequest, chosenBy, type PreparedCall, readCallPlace } from './call-request.ts';
import { prepareExecutorCall } from './prepare-executor.ts';

/** `tutti orchestrator NAME [MODIFIER] ARGS…`, as it was typed. */
export interface OrchestratorRequest extends CallRequest {
  readonly name: string;
  readonly words: readonly string[];
}

/** A call of an orchestrator that may be started. */
export interface PreparedStages extends PreparedCall {
  readonly input: OrchestratorInput;
}

/** Checks a call against the project. Nothing is touched, so a refusal leaves nothing behind. */
export async function prepareOrchestrator(
  place: Place,
  request: OrchestratorRequest,
): Promise<Result<PreparedStages, Refusal>> {
  const where = await readCallPlace(place, request);
  if (!where.ok) return where;
  const library = openLibrary(place);
  const found = findUsable(library, 'orchestrator', request.name);
  if (!found.ok) return found;
  const { name, work } = found.value;
  if (work.mode === 'agent') return err(refuseAgentMode(name));
  const { modifier, args } = readModifier(work, request.words);
  const stages = prepareStages(place, library, request, { chosen: chooseStages(work, modifier) ?? [], args });
  if (!stages.ok) return stages;
  const verifiers = stages.value.flatMap(({ call }) => call.rules.gates).flatMap(verifierOfGate);
  const judges = snapshotAgents(place, verifiers, request.budget);
  if (!judges.ok) return judges;
  const input: OrchestratorInput = {
    layer: 'orchestrator',
    ...where.value,
    source: `orchestrator ${name}`,
    orchestrator: name,
    modifier,
    stages: stages.value,
    judges: judges.value,
    levels: 0,
  };
  const [first] = stages.value;
  return ok({ request, input, name, agent: first?.call.agent.name ?? name, flow: stagesAsFlow(input) });
}

function refuseAgentMode(name: string): Refusal {
  const message = `orchestrator ${name} is a system prompt, and only orchestrators with stages can be called`;
  return refusal(
    'UNAVAILABLE',
    message,
    'see how each of them works: tutti compose list --layer orchestrator',
  );
}

/** The first word may be the name of a modifier. */
function readModifier(
  work: StageSequence,
  words: readonly string[],
): { readonly modifier: string; readonly args: readonly string[] } {
  const [first, ...rest] = words;
  return first !== undefined && listModifiers(work).includes(first)
    ? { modifier: first, args: rest }
    : { modifier: fullModifier, args: words };
}

interface WantedStages {
  readonly chosen: readonly ChosenStage[];
  /** Further arguments of each stage. */
  readonly args: readonly string[];
}

function prepareStages(
  place: Place,
  library: ComposeLibrary,
  request: OrchestratorRequest,
  { chosen, args }: WantedStages,
): Result<readonly StageCall[], Refusal> {
  const stages: StageCall[] = [];
  for (const stage of chosen) {
    const executor = findUsable(library, 'executor', stage.executor);
    if (!executor.ok) return executor;
    const wish = {
      words: [...stage.args, ...args],
      chosen: chosenBy(request),
      tier: stage.tier,
      timeoutMs: request.timeoutMs ?? stage.timeoutMs,
      caller: `tutti orchestrator ${request.name}`,
    };
    const call = prepareExecutorCall(place, executor.value, wish, request.budget);
    if (!call.ok) return call;
    const { name, needs, inputs, required, retryMax, onDepth, compressible } = stage;
    stages.push({ name, needs, inputs, required, retryMax, onDepth, compressible, call: call.value });
  }
  return ok(stages);
}

/** Stages as the steps of a flow. */
function stagesAsFlow({ orchestrator, stages, judges, cwd }: OrchestratorInput): PreparedCall['flow'] {
  const idOf = (name: string): string => stageStep(orchestrator, name);
  const steps = stages.map(({ name, needs, required, call }) => ({
    id: idOf(name),
    needs: needs.map(idOf),
    cwd,
    inputs: [],
    gates: call.rules.gates,
    retryMax: selfHealMax,
    timeoutMs: call.rules.timeoutMs,
    work: { kind: 'agent', agent: idOf(name), prompt: callLines(call) } as const,
    required,
    estimateMs: null,
  }));
  const agents = Object.fromEntries(stages.map(({ name, call }) => [idOf(name), call.agent]));
  return {
    flow: { name: orchestrator, concurrency: stages.length, budget: {}, steps },
    agents: { ...judges, ...agents },
  };
}
