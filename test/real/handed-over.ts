import type { ModelStep } from '../rig/model-brain.ts';

/** A result in Tutti's own form: every member is there, as the CLIs' schemas want it. */
export function ownResult(more: { readonly status?: string; readonly summary?: string } = {}): object {
  return { status: 'success', summary: 'all done', artifacts: [], notes: [], questions: [], ...more };
}

/** The answer by which a model on each of these CLIs returns its result as structured output. */
export const structuredAnswer = {
  claude: (result: object): Pick<ModelStep, 'tools'> => ({
    tools: [{ name: 'StructuredOutput', input: result }],
  }),
  codex: (result: object): Pick<ModelStep, 'text'> => ({ text: JSON.stringify(result) }),
} as const;
