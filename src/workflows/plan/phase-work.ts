import { digest } from '../../lib/digest.ts';
import { type Json, type JsonObject, plain } from '../../lib/json.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { promptInKey } from '../../kernel/turn-key.ts';
import { type DocumentEnd, type DocumentWork, writeDocument } from '../../kernel/write-document.ts';
import { type InvalidDocument, problemOfDocument, type WrongDocument } from '../../model/document.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { AgentSnapshot } from '../../model/flow.ts';
import { keyOf } from '../../model/key.ts';
import type { OperationArgs } from '../../model/operations.ts';
import { type AgentPhase, phaseAgents } from '../../model/plan/phase.ts';
import type { ValidArtifact } from '../../model/plan/plan-check.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { Made } from '../../model/plan/plan-record.ts';
import type { SessionSpec, Turn } from '../../model/turn.ts';
import { turnOfAgent } from '../../model/turn-of-agent.ts';
import { peopleWords, saysTheSame } from './people-words.ts';
import { planOperation } from './plan-operation.ts';
import { reminderWords } from './prompt-blocks.ts';

/** Turns that may follow the first one with the validator's errors. */
const maxRepairs = 3;

export interface PhaseWork<Right> {
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
  readonly begin?: 'plan-verdict-begin' | 'plan-tasks-begin' | undefined;
  /** Comes between a turn and the look at what it left. */
  readonly settle?: (after: string) => Promise<void>;
  /** Who puts right what does not pass: the agent, or the person who changed it since. Without it: the agent. */
  readonly repair?: DocumentWork<Right>['repair'];
  readonly check: PhaseCheck<Right>;
}

/** The look at what the agent wrote. */
export interface PhaseCheck<Right> {
  /** Part of the key of each look. */
  readonly about: JsonObject;
  /** `round`: looked at again whenever planning is started. `turn`: once, when the turn ended. */
  readonly each: 'round' | 'turn';
  /** `made`: the work that left it; null: nobody's. */
  readonly look: (ctx: Ctx, key: string, made: Made | null) => Promise<Right | WrongDocument>;
}

/** The check of an artifact, each time planning is started. */
export function artifactCheck(
  input: PlanInput,
  args: Omit<OperationArgs<'plan-check'>, 'plan' | 'made'>,
): PhaseCheck<ValidArtifact> {
  const { plan } = input;
  return {
    about: { ...args },
    each: 'round',
    look: (ctx, key, made) =>
      planOperation(ctx, input, key, 'plan-check', { plan, ...args, ...(made === null ? {} : { made }) }),
  };
}

/** The agent of a phase, until what it owes is there and right. */
export async function phaseWork<Right extends { readonly at: string }>(
  ctx: Ctx,
  input: PlanInput,
  work: PhaseWork<Right>,
): Promise<DocumentEnd<Right>> {
  const agent = input.agents[phaseAgents[work.phase]];
  if (agent === undefined) throw new Error(`the run has no snapshot of agent '${phaseAgents[work.phase]}'`);
  const words = peopleWords(input, work.phase);
  const { made, identity, recorded: isRecorded } = await findIdentity(ctx, input, work, agent, words);
  // A turn that an earlier release recorded has begun: what it may have written by now must stay.
  if (work.begin !== undefined && !isRecorded) {
    const key = keyOf(`${work.id}/begin`, { identity, words });
    await planOperation(ctx, input, key, work.begin, { plan: input.plan });
  }
  const { id, prompt, check, settle, repair } = work;
  const args = { ...check.about, ...(made === null ? {} : { made: plain(made) }) };
  return writeDocument(ctx, {
    id,
    identity,
    words,
    prompt,
    recognizes: (said) => saysTheSame(said, input, work.phase),
    repairs: maxRepairs,
    spec: (turn) => specOf(input, work, agent, turn),
    settle,
    repair,
    look: (after, looks) => {
      const round = check.each === 'round' ? input.round : null;
      const again = looks === 0 ? {} : { looks };
      return check.look(ctx, keyOf(`${id}/check`, { after, round, args, ...again }), made);
    },
    reminder: reminderWords,
  });
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

/** A person edited the tasks, and does not want to go on with that: no agent is asked to repair them. */
export function editsGivenUp(found: InvalidDocument): Failure {
  const message = `the edited tasks are not valid: ${problemOfDocument(found)}`;
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
