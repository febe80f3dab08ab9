import { digest } from '../../lib/digest.ts';
import { type Json, type JsonObject, plain, textMember } from '../../lib/json.ts';
import { agentWork, type Judgement } from '../../kernel/agent-work.ts';
import { type Ctx, StepFailed } from '../../kernel/ctx.ts';
import { promptInKey } from '../../kernel/turn-key.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { AgentSnapshot } from '../../model/flow.ts';
import { healWords } from '../../model/heal-prompt.ts';
import { keyOf } from '../../model/key.ts';
import type { OperationArgs } from '../../model/operations.ts';
import { type AgentPhase, phaseAgents } from '../../model/plan/phase.ts';
import { type PlanCheck, problemOf, type VerdictCheck } from '../../model/plan/plan-check.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { Made } from '../../model/plan/plan-record.ts';
import type { SessionSpec, Turn } from '../../model/turn.ts';
import { turnOfAgent } from '../../model/turn-of-agent.ts';
import { peopleWords, saysTheSame } from './people-words.ts';
import { planOperation } from './plan-operation.ts';
import { reminderWords } from './prompt-blocks.ts';

/** Turns that may follow the first one with the validator's errors. */
const maxRepairs = 3;

/** What an agent left that does not count. */
type Wrong = Extract<PlanCheck | VerdictCheck, { at: 'missing' | 'invalid' }>;
export type Invalid = Extract<Wrong, { at: 'invalid' }>;
/** What an agent left that counts. */
type Right<Check> = Exclude<Check, Wrong>;

export interface PhaseWork<Check> {
  readonly phase: AgentPhase;
  /** Of its step: `validation`, `validation/again-1`. */
  readonly id: string;
  readonly prompt: string;
  /** Digests of what it stands on: work on the same is found again. */
  readonly upstream: Json;
  /** For work that writes files: the work that they are of; null: of no work. */
  readonly made?: Made | null;
  /** Told to the agent, and no part of what the work is: the same work may be asked for in other circumstances. */
  readonly note: string;
  /** The operation that goes before the first turn. */
  readonly begin?: 'plan-verdict-begin';
  /** Comes between a turn and the look at what it left. */
  readonly settle?: (after: string) => Promise<void>;
  /** Who puts right what does not pass: the agent, or the person who changed it since. Without it: the agent. */
  readonly repair?: (found: Invalid, after: string, looks: number) => Promise<Repair>;
  readonly check: PhaseCheck<Check>;
}

/** `again`: a person has put it right, look once more. */
export type Repair = 'agent' | 'again' | 'give up';

/** The look at what the agent wrote. */
export interface PhaseCheck<Check> {
  /** Part of the key of each look. */
  readonly about: JsonObject;
  /** `round`: looked at again whenever planning is started. `turn`: once, when the turn ended. */
  readonly each: 'round' | 'turn';
  /** `made`: the work that left it; null: nobody's. */
  readonly look: (ctx: Ctx, key: string, made: Made | null) => Promise<Check>;
}

/** The check of an artifact, each time planning is started. */
export function artifactCheck(
  input: PlanInput,
  args: Omit<OperationArgs<'plan-check'>, 'plan' | 'made'>,
): PhaseCheck<PlanCheck> {
  const { plan } = input;
  return {
    about: { ...args },
    each: 'round',
    look: (ctx, key, made) =>
      planOperation(ctx, input, key, 'plan-check', { plan, ...args, ...(made === null ? {} : { made }) }),
  };
}

export type PhaseEnd<T> =
  | { readonly at: 'done'; readonly value: T }
  | { readonly at: 'failed'; readonly failure: Failure };

/** One agent, until what it owes is there and right. What it says about it does not count. */
export async function phaseWork<Check extends PlanCheck | VerdictCheck>(
  ctx: Ctx,
  input: PlanInput,
  work: PhaseWork<Check>,
): Promise<PhaseEnd<Right<Check>>> {
  const agent = input.agents[phaseAgents[work.phase]];
  if (agent === undefined) throw new Error(`the run has no snapshot of agent '${phaseAgents[work.phase]}'`);
  const words = peopleWords(input, work.phase);
  const { made, identity, recorded: isRecorded } = await findIdentity(ctx, input, work, agent, words);
  // A turn that an earlier release recorded has begun: what it may have written by now must stay.
  if (work.begin !== undefined && !isRecorded) {
    const key = keyOf(`${work.id}/begin`, { identity, words });
    await planOperation(ctx, input, key, work.begin, { plan: input.plan });
  }
  const args = { ...work.check.about, ...(made === null ? {} : { made: plain(made) }) };
  let missing = 0;
  const seen: { last: { readonly after: string; readonly found: Check } | null } = { last: null };
  try {
    const end = await agentWork(ctx, {
      id: work.id,
      identity,
      words,
      recognizes: (prompt) => saysTheSame(prompt, input, work.phase),
      prompt: work.prompt,
      retryMax: maxRepairs,
      // What it wrote is checked by code.
      gated: true,
      spec: (turn) => specOf(input, work, agent, turn),
      judge: async (_ended, after) => {
        await work.settle?.(after);
        for (let looks = 0; ; looks += 1) {
          const round = work.check.each === 'round' ? input.round : null;
          const again = looks === 0 ? {} : { looks };
          const key = keyOf(`${work.id}/check`, { after, round, args, ...again });
          const found = await work.check.look(ctx, key, made);
          seen.last = { after, found };
          if (found.at === 'missing') missing += 1;
          if (found.at !== 'invalid') return judgementOf(found, missing);
          const by = (await work.repair?.(found, after, looks)) ?? 'agent';
          if (by === 'agent') return judgementOf(found, missing);
          if (by === 'give up') return givenUp(found);
        }
      },
      // A turn that failed by itself was not judged: nobody looked at what it left.
      progress: ({ text }, after) =>
        Promise.resolve(digest(seen.last?.after === after ? plain(seen.last.found) : text)),
      healWords: (failed, task) => {
        const place = missingIn(failed);
        return place === null ? healWords(task, failed) : reminderWords(task, place);
      },
      startsAnew: (failed) => missingIn(failed) !== null,
    });
    if (end.failure !== null) return { at: 'failed', failure: end.failure };
  } catch (error) {
    // A refused or lost launch ends the phase with a sentence, not the workflow with an exception.
    if (error instanceof StepFailed) return { at: 'failed', failure: error.failure };
    throw error;
  }
  const found = seen.last?.found;
  if (found === undefined || !isRight(found)) throw new Error(`what ${work.id} left was not looked at`);
  return { at: 'done', value: found };
}

type MadeFrom = Pick<PhaseWork<never>, 'id' | 'phase' | 'upstream' | 'made'>;

interface WorkIdentity {
  readonly made: Made | null;
  readonly identity: Json;
}

/** The same work is found again, unless other work has left its traces in the files since. */
function identityOf({ made: before, upstream }: MadeFrom, agent: AgentSnapshot, of: Json): WorkIdentity {
  if (before === undefined) return { made: null, identity: plain({ agent, upstream, from: null }) };
  const work = digest(of);
  const from =
    before?.work === work ? before.from : before === null ? null : digest([before.work, before.from]);
  return { made: { work, from }, identity: plain({ agent, upstream, from }) };
}

/**
 * What the work is made from: its agent, what it stands on, and what people said. A turn that an earlier release recorded
 * for the same keeps the identity that it was recorded with.
 */
async function findIdentity(
  ctx: Ctx,
  input: PlanInput,
  work: MadeFrom,
  agent: AgentSnapshot,
  words: Json,
): Promise<WorkIdentity & { readonly recorded: boolean }> {
  const { upstream } = work;
  const now = identityOf(work, agent, plain({ agent, words, upstream }));
  const withPrompt = (prompt: string) => identityOf(work, agent, plain({ agent, prompt, upstream }));
  const key = keyOf(work.id, { identity: now.identity, prompt: words });
  for (const turn of await ctx.turnsBeside(key)) {
    const prompt = promptInKey(turn, (text) => withPrompt(text).identity);
    if (prompt !== null && saysTheSame(prompt, input, work.phase)) {
      return { ...withPrompt(prompt), recorded: true };
    }
  }
  return { ...now, recorded: false };
}

function isRight<Check extends PlanCheck | VerdictCheck>(found: Check): found is Right<Check> {
  return found.at !== 'missing' && found.at !== 'invalid';
}

/** Where the agent should have written; null: that was not what went wrong. */
function missingIn({ reason, evidence }: Failure): string | null {
  const place = textMember(evidence, 'missing');
  return reason === 'no-result' && place !== '' ? place : null;
}

function judgementOf(found: PlanCheck | VerdictCheck, missing: number): Judgement | null {
  if (found.at === 'missing') {
    const message = problemOf(found) ?? '';
    const of = { missing };
    // Told once, explicitly; who does not do it then will not do it the third time.
    if (missing === 1) {
      return { failure: failure('no-result', message, { evidence: { missing: found.path } }), of };
    }
    const again = `${message}, although it was started again and reminded`;
    return { failure: failure('no-result', again, { outcome: 'NEEDS_ESCALATION' }), of };
  }
  if (found.at !== 'invalid') return null;
  const evidence = { output: found.problems.join('\n') };
  return { failure: failure('gate', problemOf(found) ?? '', { evidence }), of: { left: found.left } };
}

function givenUp(found: Wrong): Judgement {
  return { failure: editsGivenUp(found), of: { left: 'given up' } };
}

/** A person edited the tasks, and does not want to go on with that: no agent is asked to repair them. */
export function editsGivenUp(found: Wrong): Failure {
  const message = `the edited tasks are not valid: ${problemOf(found) ?? ''}`;
  return failure('gate', message, { outcome: 'NEEDS_ESCALATION' });
}

function specOf(
  input: PlanInput,
  { note }: Pick<PhaseWork<never>, 'note'>,
  agent: AgentSnapshot,
  turn: Turn,
): SessionSpec {
  return turnOfAgent(agent, withNote(turn, note), {
    role: 'planner',
    workspace: input.workspace,
    timeoutMs: input.sessionTimeoutMs,
    priority: 0,
    handoff: { addDirs: [input.planDir], env: { TUTTI_PLAN_DIR: input.planDir } },
  });
}

/** The note is said with every turn that says the whole task; a conversation that continues has it already. */
function withNote(turn: Turn, note: string): Turn {
  return note === '' ? turn : { ...turn, prompt: `${turn.prompt}\n---\n\n${note}\n` };
}
