import { agentWork, type Judgement, type WorkEnd } from '../../kernel/agent-work.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { type GatedStep, passGates } from '../../kernel/pass-gates.ts';
import { recordVerdict } from '../../kernel/record-verdict.ts';
import { type CallPlace, workspaceOfCall } from '../../model/compose/call-place.ts';
import {
  type CallEnd,
  callIdentity,
  callLine,
  callPrompt,
  type ExecutorCall,
  selfHealMax,
} from '../../model/compose/executor-call.ts';
import { answerOf, judgeAccount, judgeTraces, listArtifacts } from '../../model/compose/judge-call.ts';
import { renderRefinementRequest } from '../../model/compose/refinement-request.ts';
import type { Failure } from '../../model/failure.ts';
import type { AgentSnapshot } from '../../model/flow.ts';
import { keyOf } from '../../model/key.ts';
import { turnOfAgent } from '../../model/turn-of-agent.ts';
import type { SessionSpec, Turn, TurnOutcome, TurnRole } from '../../model/turn.ts';
import { TracedFiles } from './traced-files.ts';

/** One call of an executor in a run. */
export interface CallInRun {
  /** Id of its step; its parts begin with it. */
  readonly id: string;
  readonly call: ExecutorCall;
  readonly place: CallPlace;
  /** Agents of its `verifier` gates, by name. */
  readonly judges: Readonly<Record<string, AgentSnapshot>>;
  readonly priority: number;
}

/**
 * Layer 1: one agent does one action until its work is accepted. Code judges the agent's account, the files that changed, and the gates
 * of the action. The files of work that is given up are put back as they were, and the work is kept.
 */
export async function executeCall(ctx: Ctx, job: CallInRun): Promise<CallEnd> {
  const { id, call, place } = job;
  const identity = callIdentity(call, place);
  const traces = await TracedFiles.begin(ctx, job, keyOf(`${id}/before`, { identity }));
  const runsPrograms = call.rules.gates.some(({ kind }) => kind === 'command' || kind === 'verifier');
  let turns = 0;
  const work = await agentWork(ctx, {
    id,
    identity,
    words: null,
    prompt: callPrompt(call, place),
    retryMax: selfHealMax,
    gated: true,
    spec: (turn) => turnSpec(job, call.agent, turn),
    judge: (ended, after) => judgeTurn(ctx, job, traces, { ended, after }),
    progress: (ended, after) => {
      turns += 1;
      return traces.digestAfter(ended, after, runsPrograms);
    },
  });
  const { failure } = work;
  const end =
    failure === null ? await accept(job, traces, work) : await giveUp(job, traces, { work, failure, turns });
  return recordVerdict(ctx, id, work.key, { verdict: end, outcome: end.outcome });
}

async function judgeTurn(
  ctx: Ctx,
  job: CallInRun,
  traces: TracedFiles,
  { ended, after }: { readonly ended: TurnOutcome; readonly after: string },
): Promise<Judgement | null> {
  const { call } = job;
  const untrue = judgeAccount(call, ended);
  if (untrue !== null) return untrue;
  const named = await traces.look(ended, after);
  const { written } = traces;
  const { cwd } = job.place;
  const scope = { cwd, writes: call.rules.writes };
  const unproven = judgeTraces(call, ended, { written, named, scope, others: [] });
  if (unproven !== null) return unproven;
  return passGates(ctx, gatedStep(job), after, { toolCalls: ended.toolCalls, artifacts: named.found });
}

function gatedStep(job: CallInRun): GatedStep {
  const { id, call, place, judges, priority } = job;
  return {
    id,
    gates: call.rules.gates,
    asked: callLine(call),
    place: { workspace: workspaceOfCall(place), priority },
    findAgent: (name) => {
      const agent = judges[name];
      if (agent === undefined) throw new Error(`the run has no snapshot of agent '${name}'`);
      return agent;
    },
    verifierTurn: (agent, turn) => turnSpec(job, agent, turn, { role: 'verifier' }),
  };
}

function turnSpec(
  { call, place, priority }: CallInRun,
  agent: AgentSnapshot,
  turn: Turn,
  role: { readonly role?: TurnRole } = {},
): SessionSpec {
  return turnOfAgent(agent, turn, {
    ...role,
    workspace: workspaceOfCall(place),
    timeoutMs: call.rules.timeoutMs,
    priority,
    handoff: place.from,
  });
}

async function accept({ call }: CallInRun, traces: TracedFiles, { ended, key }: WorkEnd): Promise<CallEnd> {
  const named = await traces.look(ended, key);
  return {
    ...accountOf(ended),
    outcome: 'SUCCESS',
    failure: null,
    artifacts: listArtifacts(ended, { written: traces.written, named }),
    answer: answerOf(call, ended),
    rescue: null,
    refinement: null,
  };
}

interface GivenUp {
  readonly work: WorkEnd;
  readonly failure: Failure;
  /** Turns that were not accepted. */
  readonly turns: number;
}

async function giveUp(
  { id }: CallInRun,
  traces: TracedFiles,
  { work, failure: last, turns }: GivenUp,
): Promise<CallEnd> {
  const { ended, key, unhealed } = work;
  const failure = escalate(last, unhealed);
  // Work that a person can continue stays where it is.
  const isOver = unhealed === undefined && !continues.has(failure.outcome);
  const { rescue } = isOver ? await traces.putBack(traces.written, key) : { rescue: null };
  const [artifact = null] = traces.written;
  const request = { stage: id, artifact, turns, maxTurns: selfHealMax + 1, failure, rescue };
  return {
    ...accountOf(ended),
    outcome: failure.outcome,
    failure,
    artifacts: [],
    answer: null,
    rescue,
    refinement: renderRefinementRequest(request),
  };
}

/** Ends after which the same step continues with what it has. */
const continues: ReadonlySet<Failure['outcome']> = new Set(['INTERRUPTED', 'HALTED', 'BUDGET_EXCEEDED']);

/** Work that exists and was not accepted needs a refinement; so does work that a ceiling does not allow to be healed. */
function escalate(failure: Failure, unhealed: Failure | undefined): Failure {
  const isRefused = failure.reason === 'gate' && failure.outcome === 'FAILURE';
  return isRefused || unhealed !== undefined ? { ...failure, outcome: 'NEEDS_REFINEMENT' } : failure;
}

function accountOf({ sessionId, result, text }: TurnOutcome): Pick<CallEnd, 'sessionId' | 'summary'> {
  return { sessionId, summary: result?.summary ?? text };
}
