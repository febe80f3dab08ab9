import { agentWork, type Judgement, type WorkEnd } from '../../kernel/agent-work.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { type GatedStep, passGates } from '../../kernel/pass-gates.ts';
import { callHealWords } from '../../model/compose/call-heal-words.ts';
import { type CallPlace, workspaceOfCall } from '../../model/compose/call-place.ts';
import {
  type CallEnd,
  callIdentity,
  callLines,
  callPrompt,
  type ExecutorCall,
  selfHealMax,
} from '../../model/compose/executor-call.ts';
import {
  answerOf,
  judgeAccount,
  judgeTraces,
  listArtifacts,
  listWork,
} from '../../model/compose/judge-call.ts';
import type { Received } from '../../model/compose/orchestrator-call.ts';
import { renderRefinementRequest } from '../../model/compose/refinement-request.ts';
import { ownChanges, type WriteScope } from '../../model/compose/write-scope.ts';
import type { Failure } from '../../model/failure.ts';
import type { AgentSnapshot } from '../../model/flow.ts';
import { keyOf } from '../../model/key.ts';
import { turnOfAgent } from '../../model/turn-of-agent.ts';
import type { SessionSpec, Turn, TurnOutcome, TurnRole } from '../../model/turn.ts';
import { TracedFiles } from './traced-files.ts';

/** One call of an executor in a run. */
export interface CallInRun {
  /** Its step, or a part of it that repeats the call. */
  readonly id: string;
  readonly call: ExecutorCall;
  readonly place: CallPlace;
  /** Agents of its `verifier` gates, by name. */
  readonly judges: Readonly<Record<string, AgentSnapshot>>;
  readonly priority: number;
  /** From earlier stages. */
  readonly received: Received;
  /** Scopes of calls that may be at work in the same folder at the same time. */
  readonly beside: readonly WriteScope[];
}

/** A call that has ended. */
export interface EndedCall {
  readonly end: CallEnd;
  /** Key of its last turn. */
  readonly after: string;
}

/**
 * Layer 1: one agent does one action until its work is accepted. Code judges the agent's account, the files that changed, and the gates
 * of the action. The files of work that is given up are put back as they were, and the work is kept.
 */
export async function executeCall(ctx: Ctx, job: CallInRun): Promise<EndedCall> {
  const { id, call, place, received } = job;
  const identity = callIdentity(call, place, received.identity);
  const traces = await TracedFiles.begin(ctx, job, keyOf(`${id}/before`, { identity }));
  const runsPrograms = call.rules.gates.some(({ kind }) => kind === 'command' || kind === 'verifier');
  let turns = 0;
  const work = await agentWork(ctx, {
    id,
    identity,
    words: null,
    prompt: callPrompt(call, place, received.blocks),
    retryMax: selfHealMax,
    gated: true,
    healWords: callHealWords,
    // An agent that asks for a refinement cannot help itself.
    mayHeal: ({ outcome }) => outcome !== 'NEEDS_REFINEMENT',
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
  return { end, after: work.key };
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
  const { written, own } = traces;
  const { cwd } = job.place;
  const scope = { cwd, writes: call.rules.writes };
  const unproven = judgeTraces(call, ended, { written, own, named, scope, others: job.beside });
  if (unproven !== null) return unproven;
  // A driver may not report tools; a file that was written took at least one.
  const usedTools = Math.max(
    ended.toolCalls,
    listWork({ written, named, others: job.beside }).length > 0 ? 1 : 0,
  );
  return passGates(ctx, gatedStep(job), after, { toolCalls: usedTools, artifacts: named.found });
}

function gatedStep(job: CallInRun): GatedStep {
  const { id, call, place, judges, priority } = job;
  return {
    id,
    // Whether this call changed a file is known better than whether the folder differs from its last commit.
    gates: call.rules.gates.filter(({ kind }) => kind !== 'diff'),
    asked: callLines(call),
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

async function accept(
  { call, beside }: CallInRun,
  traces: TracedFiles,
  { ended, key }: WorkEnd,
): Promise<CallEnd> {
  const named = await traces.look(ended, key);
  return {
    ...accountOf(ended),
    outcome: 'SUCCESS',
    failure: null,
    artifacts: listArtifacts(ended, { written: traces.written, named, others: beside }),
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
  { id, beside }: CallInRun,
  traces: TracedFiles,
  { work, failure: last, turns }: GivenUp,
): Promise<CallEnd> {
  const { ended, key, unhealed } = work;
  const failure = escalate(last, unhealed);
  // Work that a person can continue stays where it is.
  const isOver = unhealed === undefined && !continues.has(failure.outcome);
  const own = ownChanges(traces.own, beside);
  const { rescue } = isOver ? await traces.putBack(own, key) : { rescue: null };
  const [artifact = null] = own;
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
