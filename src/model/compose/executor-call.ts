import { type Json, plain } from '../../lib/json.ts';
import { shellWord } from '../../lib/shell-word.ts';
import type { Failure } from '../failure.ts';
import type { AgentSnapshot } from '../flow.ts';
import type { Outcome } from '../outcome.ts';
import type { Tier } from '../turn.ts';
import { addContext, type CallPlace } from './call-place.ts';
import type { ActionRules } from './definition.ts';

/** What an executor is asked to do. */
interface CallWords {
  readonly executor: string;
  readonly action: string;
  readonly args: readonly string[];
}

/** One call of an executor: what it is asked, the agent that does it, and the rules that its work is judged by. */
export interface ExecutorCall extends CallWords {
  /** Further calls that its turn carries out, in order; absent: none. */
  readonly also?: readonly CallWords[];
  readonly chosen: ChosenAgent;
  /** The agent of the definition, ready to run here. */
  readonly agent: AgentSnapshot;
  readonly rules: CallRules;
}

/** What the caller chose in place of what the definition says. Null: as the definition says. */
export interface ChosenAgent {
  readonly tier: Tier | null;
  readonly model: string | null;
  readonly tools: readonly string[] | null;
  readonly driver: string | null;
}

interface CallRules extends Omit<ActionRules, 'tier'> {
  /** The words of which the answer must be one; empty: the action answers with its status only. */
  readonly answers: readonly string[];
}

/** `tutti executor`: one call, in a run of its own. */
export interface ExecutorInput extends CallPlace {
  readonly layer: 'executor';
  /** The beginning of its command: `executor spec PLAN`. */
  readonly source: string;
  readonly call: ExecutorCall;
  /** Agents that judge its work (`verifier` gates), by name. */
  readonly judges: Readonly<Record<string, AgentSnapshot>>;
}

/** How a call of an executor ended. */
export interface CallEnd {
  readonly outcome: Outcome;
  readonly failure: Failure | null;
  /** Null: no session was started. */
  readonly sessionId: string | null;
  /** The agent's own account; the last words of an agent that gave none. */
  readonly summary: string;
  /** Files that prove the work: those that the agent names, else those that it wrote. */
  readonly artifacts: readonly string[];
  /** The word that it answered with; null: its action has no answers. */
  readonly answer: string | null;
  /** Ref of the work that was put aside; null: nothing was. */
  readonly rescue: string | null;
  /** The request for a resolution that it left; null: it succeeded. */
  readonly refinement: string | null;
}

/** The value of a run of an executor. */
export interface ExecutorValue extends CallEnd {
  readonly layer: 'executor';
  /** Id of its step. */
  readonly step: string;
}

/** How often an executor lets its agent correct work that was not accepted. */
export const selfHealMax = 2;

/** Id of the only step of a run of an executor. */
export function executorStep({ call }: Pick<ExecutorInput, 'call'>): string {
  return call.executor;
}

/**
 * Everything that makes a call a different one. The wording of the definition is no part of it, so that an edited system prompt
 * pays for no finished call again. `received`: what earlier parts handed to it.
 */
export function callIdentity(
  { executor, action, args, chosen, also }: ExecutorCall,
  { cwd, context }: Pick<CallPlace, 'cwd' | 'context'>,
  received: Json = null,
): Json {
  const texts = context.map(({ text }) => text);
  const words = also === undefined ? { executor, action, args } : { executor, action, args, also };
  return plain({ layer: 'executor', ...words, chosen, cwd, context: texts, received });
}

/** The words of a call: `/spec PLAN docs/api.md`, with a line for each call of its turn. */
export function callLines({ also = [], ...call }: ExecutorCall): string {
  const lines = [call, ...also].map(({ executor, action, args }) =>
    [`/${executor}`, action, ...args.map((arg) => (arg === '' ? "''" : shellWord(arg)))].join(' '),
  );
  return lines.join('\n');
}

/** The action whose end is that of the turn. */
export function lastAction({ action, also = [] }: Pick<ExecutorCall, 'action' | 'also'>): string {
  return also.at(-1)?.action ?? action;
}

/** The prompt of a call. `received`: blocks of text from earlier parts. */
export function callPrompt(
  call: ExecutorCall,
  { context }: Pick<CallPlace, 'context'>,
  received: readonly string[] = [],
): string {
  const { writes } = call.rules;
  const order = call.also === undefined ? [] : ['Carry out these calls in this order, in this one turn.'];
  const scope = writes === null ? [] : [describeScope(writes)];
  return addContext([callLines(call), ...order, ...scope, ...received].join('\n\n'), context);
}

function describeScope(writes: readonly string[]): string {
  if (writes.length === 0) return '## Scope\n\nChange no files.';
  const patterns = writes.map((pattern) => `- ${pattern}`).join('\n');
  return `## Scope\n\nWrite only files that match one of these patterns, relative to the working directory:\n\n${patterns}`;
}
