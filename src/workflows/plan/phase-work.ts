import { digest } from '../../lib/digest.ts';
import { type Json, plain, recorded } from '../../lib/json.ts';
import { agentWork } from '../../kernel/agent-work.ts';
import { type Ctx, StepFailed } from '../../kernel/ctx.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { healPrompt } from '../../model/heal-prompt.ts';
import { keyOf } from '../../model/key.ts';
import { type AgentPhase, phaseAgents } from '../../model/plan/phase.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import { workflowHandoff, type SessionSpec } from '../../model/turn.ts';
import type { Turn } from '../../kernel/agent-work.ts';
import { reminderPrompt } from './prompt-blocks.ts';

/** Turns that may follow the first one with the validator's errors. */
const maxRepairs = 3;

/** What a host found where the agent should have written. */
export type Found =
  | { readonly at: 'missing'; readonly path: string }
  | { readonly at: 'invalid'; readonly problems: readonly string[]; readonly left: string };

export interface PhaseWork {
  readonly phase: AgentPhase;
  /** Of its step: `validation`, `validation/again-1`. */
  readonly id: string;
  readonly prompt: string;
  /** Digests of what it stands on: work on the same is found again. */
  readonly upstream: Json;
  /** Told to the agent, and no part of what the work is: the same work may be asked for in other circumstances. */
  readonly note: string;
  /** Name and arguments of the host task that looks at what the agent wrote. */
  readonly check: PhaseCheck;
}

interface PhaseCheck {
  readonly name: string;
  readonly args: { readonly [name: string]: Json };
  /** `round`: looked at again whenever planning is started. `turn`: once, when the turn ended. */
  readonly each: 'round' | 'turn';
}

export type PhaseEnd<T> =
  | { readonly at: 'done'; readonly value: T }
  | { readonly at: 'failed'; readonly failure: Failure };

/** One agent, until what it owes is there and right. What it says about it does not count. */
export async function phaseWork<T>(
  ctx: Ctx,
  input: PlanInput,
  work: PhaseWork,
): Promise<PhaseEnd<Exclude<T, Found>>> {
  const agent = input.agents[phaseAgents[work.phase]];
  if (agent === undefined) throw new Error(`the run has no snapshot of agent '${phaseAgents[work.phase]}'`);
  const identity = plain({ agent, upstream: work.upstream });
  let missing = 0;
  let seen: Found | Exclude<T, Found> | null = null;
  try {
    const end = await agentWork(ctx, {
      id: work.id,
      identity,
      prompt: work.prompt,
      retryMax: maxRepairs,
      spec: (turn) => specOf(input, work, agent, turn),
      judge: async (_ended, after) => {
        const key = keyOf(`${work.id}/check`, plain({ after, round: input.round, args: work.check.args }));
        const found = await hostTask<Found | Exclude<T, Found>>(
          ctx,
          input,
          key,
          work.check.name,
          work.check.args,
        );
        seen = found;
        if (isMissing(found)) missing += 1;
        return failureOf(found, missing);
      },
      // A turn that was not judged left nothing that anybody looked at.
      progress: ({ text }) => Promise.resolve(digest(seen === null ? text : plain(seen))),
      healPrompt: (failed) =>
        isMissing(seen) && failed.reason === 'no-result'
          ? reminderPrompt(work.prompt, seen.path)
          : healPrompt(work.prompt, failed),
      startsAnew: (failed) => isMissing(seen) && failed.reason === 'no-result',
    });
    if (end.failure !== null) return { at: 'failed', failure: end.failure };
  } catch (error) {
    // A refused or lost launch ends the phase with a sentence, not the workflow with an exception.
    if (error instanceof StepFailed) return { at: 'failed', failure: error.failure };
    throw error;
  }
  return { at: 'done', value: recorded<Exclude<T, Found>>(seen) };
}

/** Everything that planning has done on a host is bound to the plan's folder. */
export async function hostTask<T>(
  ctx: Ctx,
  input: PlanInput,
  key: string,
  name: string,
  args: { readonly [name: string]: Json },
): Promise<T> {
  const { value } = await ctx.task(key, name, { plan: input.plan, ...args }, { workspace: input.planDir });
  return recorded<T>(value);
}

function isMissing(found: unknown): found is Extract<Found, { at: 'missing' }> {
  return at(found) === 'missing';
}

function isInvalid(found: unknown): found is Extract<Found, { at: 'invalid' }> {
  return at(found) === 'invalid';
}

function at(found: unknown): unknown {
  return typeof found === 'object' && found !== null && 'at' in found ? found.at : null;
}

function failureOf(found: unknown, missing: number): Failure | null {
  if (isMissing(found)) {
    const message = `the agent ended without writing ${found.path}`;
    // Told once, explicitly; who does not do it then will not do it the third time.
    return missing > 1
      ? failure('no-result', `${message}, although it was started anew and reminded`, {
          outcome: 'NEEDS_ESCALATION',
        })
      : failure('no-result', message);
  }
  if (!isInvalid(found)) return null;
  const [first = ''] = found.problems;
  const more = found.problems.length - 1;
  const message = `${first}${more > 0 ? ` (and ${more} more)` : ''}`;
  return failure('gate', message, { evidence: { output: found.problems.join('\n') } });
}

function specOf(
  input: PlanInput,
  { note }: PhaseWork,
  agent: NonNullable<PlanInput['agents'][string]>,
  turn: Turn,
): SessionSpec {
  return {
    agent: agent.name,
    driver: agent.driver,
    tier: agent.tier,
    systemPrompt: agent.systemPrompt,
    workspace: input.workspace,
    ...turn,
    prompt: note === '' ? turn.prompt : `${turn.prompt}\n---\n\n${note}\n`,
    result: agent.result,
    timeoutMs: input.sessionTimeoutMs,
    priority: 0,
    handoff: { ...workflowHandoff, addDirs: [input.planDir], env: { TUTTI_PLAN_DIR: input.planDir } },
  };
}
