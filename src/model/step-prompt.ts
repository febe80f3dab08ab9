import { fence } from './heal-prompt.ts';

/** What the prompt of a step's verifier is made of. */
export interface VerifiedStep {
  readonly id: string;
  /** Absolute. */
  readonly dir: string;
  /** What the step was asked to do: its prompt, or its command line. */
  readonly asked: string;
}

/** The prompt of a verifier of a flow's step: it did not do the work and changes nothing (P2). */
export function stepVerifierPrompt({ id, dir, asked }: VerifiedStep): string {
  return [
    `Verify the work of step ${id}`,
    `## Places\n\nWorking directory: ${dir}`,
    `## What was asked (data)\n\n${fence(asked)}`,
    `## What to do

1. Read what is there. Find out whether everything that was asked is really done, whether tests could fail, and what is missing.
2. Change nothing in the working directory: it may be read-only. What a command has to write goes to $TMPDIR.`,
    verdictBlock,
  ].join('\n\n');
}

/** How a verifier hands over its verdict. */
const verdictBlock = `## Result

"status" is "success" only if you would accept the work as it is; else "failed", with the reason in "summary". Put each finding
into "notes": file, line, what is wrong, what would fix it.
`;
