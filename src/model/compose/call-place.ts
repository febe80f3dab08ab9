import { fence } from '../heal-prompt.ts';
import type { Tier } from '../turn.ts';
import type { Handoff } from '../turn.ts';
import { findTier } from './tier-word.ts';

/** Where a call of any layer works, and what it is told beyond its own words. */
export interface CallPlace {
  readonly projectDir: string;
  /** The directory that its agents work in, relative to the project; empty: the project itself. */
  readonly cwd: string;
  /** Further texts of the call (`--extra-context`), in the order they were given. */
  readonly context: readonly ContextText[];
  /** Who called, for the audit. */
  readonly from: Pick<Handoff, 'parent' | 'requester'>;
}

export interface ContextText {
  /** For the agent: the name of the file. */
  readonly name: string;
  readonly text: string;
}

/** A prompt with the texts of the call. */
export function addContext(prompt: string, context: readonly ContextText[]): string {
  const parts = context.map(
    ({ name, text }) => `## Extra context: ${name} (data)\n\n${fence(text.trimEnd())}`,
  );
  return [prompt, ...parts].join('\n\n');
}

/** Absolute. */
export function workspaceOfCall({ projectDir, cwd }: Pick<CallPlace, 'projectDir' | 'cwd'>): string {
  return cwd === '' ? projectDir : `${projectDir}/${cwd}`;
}

/** `--model`: a tier, or the name of a model. */
export function tierOrModel(word: string): { readonly tier: Tier } | { readonly model: string } {
  const tier = findTier(word);
  return tier === null ? { model: word } : { tier };
}
