import { didYouMean } from '../../lib/nearest.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { shellWord } from '../../lib/shell-word.ts';
import type { BudgetLimits } from '../../model/budget.ts';
import type { ExecutorAction, ExecutorDefinition } from '../../model/compose/definition.ts';
import {
  callLines,
  type ChosenAgent,
  type ExecutorCall,
  type ExecutorInput,
  executorStep,
  selfHealMax,
} from '../../model/compose/executor-call.ts';
import { findAction } from '../../model/compose/find-action.ts';
import { type AgentSnapshot, verifierOfGate } from '../../model/flow.ts';
import type { Tier } from '../../model/turn.ts';
import { quoted } from '../../model/schemas/code-frame.ts';
import { prepareAgent, snapshotAgents } from '../agents/snapshot-agents.ts';
import { snapshotOf } from '../agents/snapshot.ts';
import { openLibrary } from '../compose/compose-library.ts';
import { findUsable } from '../compose/usable-definition.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Place } from '../tutti.ts';
import {
  type CallRequest,
  chosenBy,
  type PreparedCall,
  readCallPlace,
  refuseDepthEarly,
} from './call-request.ts';

/** `tutti executor NAME ACTION TARGET…`, as it was typed. */
export interface ExecutorRequest extends CallRequest {
  readonly name: string;
  readonly words: readonly string[];
}

/** Checks a call against the project. Nothing is touched, so a refusal leaves nothing behind. */
export async function prepareExecutor(
  place: Place,
  request: ExecutorRequest,
): Promise<Result<PreparedCall, Refusal>> {
  const where = await readCallPlace(place, request);
  if (!where.ok) return where;
  const definition = findUsable(openLibrary(place), 'executor', request.name);
  if (!definition.ok) return definition;
  const { words, timeoutMs } = request;
  const wish = { words, chosen: chosenBy(request), tier: null, timeoutMs, caller: null };
  const call = prepareExecutorCall(place, definition.value, wish, request.budget);
  if (!call.ok) return call;
  const judges = snapshotAgents(place, call.value.rules.gates.flatMap(verifierOfGate), request.budget);
  if (!judges.ok) return judges;
  const { executor, action } = call.value;
  const source = `executor ${executor} ${shellWord(action)}`;
  const input: ExecutorInput = {
    layer: 'executor',
    ...where.value,
    source,
    call: call.value,
    judges: judges.value,
  };
  const tooDeep = await refuseDepthEarly(place, request);
  if (tooDeep !== null) return err(tooDeep);
  return ok({ request, input, name: executor, agent: executor, flow: executorAsFlow(input) });
}

/** What a caller asks of an executor. */
interface WantedCall {
  /** The action, then its arguments. */
  readonly words: readonly string[];
  readonly chosen: ChosenAgent;
  /** Null: that of the action. */
  readonly tier: Tier | null;
  /** Null: that of the action. */
  readonly timeoutMs: number | null;
  /** The command that a person typed, where it is another one: `tutti orchestrator ospec`. Null: that of the executor. */
  readonly caller: string | null;
}

/** One call of an executor, whose agent can run here within the budget. */
export function prepareExecutorCall(
  place: Place,
  definition: ExecutorDefinition,
  { words: [word, ...args], chosen, tier, timeoutMs, caller }: WantedCall,
  budget: Partial<BudgetLimits>,
): Result<ExecutorCall, Refusal> {
  const { agent, name } = definition;
  const action = chooseAction(definition, word, args, caller);
  if (!action.ok) return action;
  const { config } = place;
  const { driver, ...snapshot } = snapshotOf(agent, config);
  const configured = Object.hasOwn(config.agents, name) ? config.agents[name]?.tier : undefined;
  const { model = snapshot.model, ...rest } = snapshot;
  const { tools } = chosen;
  const ready = prepareAgent(place, { ...agent, ...(tools === null ? {} : { tools }) }, budget, {
    ...rest,
    driver: chosen.driver ?? driver,
    tier: chosen.tier ?? tier ?? configured ?? action.value.tier,
    ...(chosen.model === null ? modelOf(model) : { model: chosen.model }),
    ...(tools === null ? {} : { tools }),
    // The depth decides how far agents nest here, not the definition.
    startsSessions: true,
  });
  if (!ready.ok) return ready;
  const { writes, gates, answers } = action.value;
  return ok({
    executor: name,
    action: action.value.name,
    args,
    chosen,
    agent: ready.value,
    rules: {
      // An agent that may change no code has no files to write.
      writes: writes ?? (ready.value.role === 'verifier' ? [] : null),
      gates,
      answers,
      timeoutMs: timeoutMs ?? action.value.timeoutMs,
    },
  });
}

function modelOf(model: string | undefined): Pick<AgentSnapshot, 'model'> {
  return model === undefined ? {} : { model };
}

function chooseAction(
  definition: ExecutorDefinition,
  word: string | undefined,
  args: readonly string[],
  caller: string | null,
): Result<ExecutorAction, Refusal> {
  const { name, vocabulary } = definition;
  const known = vocabulary.kind === 'open' ? [] : vocabulary.actions.map((each) => each.name);
  const list = known.length === 0 ? 'any word' : known.join(', ');
  const show = `see its actions: tutti compose show ${name} --layer executor`;
  if (word === undefined) return err(refusal('USAGE', `executor ${name} needs an action: ${list}`, show));
  const action = findAction(definition, word);
  if (action === null) {
    const message = `executor ${name} has no action ${quoted(word)}${didYouMean(word, known)}`;
    return err(refusal('USAGE', message, show));
  }
  const missing = action.args.slice(args.length).filter(({ required }) => required);
  if (missing.length === 0) return ok(action);
  const names = action.args.map((each) =>
    each.required ? each.name.toUpperCase() : `[${each.name.toUpperCase()}]`,
  );
  const [first] = missing;
  const message = `${name} ${action.name} needs ${first?.name.toUpperCase() ?? 'an argument'}`;
  const line = caller ?? `tutti executor ${name} ${action.name}`;
  return err(refusal('USAGE', message, `call it as: ${line} ${names.join(' ')}`));
}

/** A call as a flow of one step. */
function executorAsFlow(input: ExecutorInput): PreparedCall['flow'] {
  const { call, cwd, judges } = input;
  const { agent, rules } = call;
  const { gates, timeoutMs } = rules;
  const step = {
    id: executorStep(input),
    needs: [],
    cwd,
    inputs: [],
    gates,
    retryMax: selfHealMax,
    timeoutMs,
  };
  const work = { kind: 'agent', agent: agent.name, prompt: callLines(call) } as const;
  const steps = [{ ...step, work, required: true, estimateMs: null }];
  return {
    flow: { name: agent.name, concurrency: 1, budget: {}, steps },
    agents: { ...judges, [agent.name]: agent },
  };
}
