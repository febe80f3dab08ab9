import { type Json, plain } from '../lib/json.ts';
import { findTier } from './compose/tier-word.ts';
import type { Failure } from './failure.ts';
import type { AgentSnapshot } from './flow.ts';
import { fence } from './heal-prompt.ts';
import type { Outcome } from './outcome.ts';
import type { Handoff, Tier } from './turn.ts';

/** The input of the workflow `compose`, by the layer that was called. */
export type ComposeInput = SpawnInput;

/** Id of the only step of a spawn. */
export const spawnStep = 'spawn';

/** One turn of an agent that a caller describes (`tutti spawn`). */
export interface SpawnInput {
  readonly layer: 'primitive';
  readonly projectDir: string;
  /** The directory that the agent works in, relative to the project. */
  readonly cwd: string;
  readonly prompt: string;
  /** Further texts of the call (`--extra-context`), in the order they were given. */
  readonly context: readonly ContextText[];
  readonly call: SpawnCall;
  /** The agent that the call describes, ready to run here. */
  readonly agent: AgentSnapshot;
  readonly timeoutMs: number;
  /** Who called, for the audit. */
  readonly from: Pick<Handoff, 'parent' | 'requester'>;
}

export interface ContextText {
  /** For the agent: the name of the file. */
  readonly name: string;
  readonly text: string;
}

/**
 * The agent as its caller described it. The key of the turn covers this description and not the snapshot: an edited AGENTS.md or
 * another default driver pays for no finished call again.
 */
interface SpawnCall {
  readonly systemPrompt: string;
  readonly tier: Tier;
  /** Null: that of the tier. */
  readonly model: string | null;
  /** Null: those of an executor. */
  readonly tools: readonly string[] | null;
  /** Null: the default of the project. */
  readonly driver: string | null;
}

/** How a spawn ended: the value of its run. */
export interface SpawnValue {
  readonly layer: 'primitive';
  readonly outcome: Outcome;
  readonly failure: Failure | null;
  readonly sessionId: string;
  /** The agent's own account; the last words of an agent that gave none. */
  readonly summary: string;
  /** Files that the agent names as its work. */
  readonly artifacts: readonly string[];
}

/** Everything that makes a call a different one. Names of files are no part of it. */
export function spawnIdentity({ layer, cwd, prompt, call, context }: SpawnInput): Json {
  return plain({ layer, cwd, prompt, call, context: context.map(({ text }) => text) });
}

/** The prompt with the texts of the call. */
export function spawnPrompt({ prompt, context }: Pick<SpawnInput, 'prompt' | 'context'>): string {
  const parts = context.map(
    ({ name, text }) => `## Extra context: ${name} (data)\n\n${fence(text.trimEnd())}`,
  );
  return [prompt, ...parts].join('\n\n');
}

export function spawnWorkspace({ projectDir, cwd }: Pick<SpawnInput, 'projectDir' | 'cwd'>): string {
  return cwd === '' ? projectDir : `${projectDir}/${cwd}`;
}

/** `--model`: a tier, or the name of a model. */
export function tierOrModel(word: string): { readonly tier: Tier } | { readonly model: string } {
  const tier = findTier(word);
  return tier === null ? { model: word } : { tier };
}
