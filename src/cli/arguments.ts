import type { Context } from './context.ts';

/** Positional arguments that several commands share. Ids are proposed by the shell's completion, from the database. */
export const runArgument = {
  parse: String,
  brief: 'A run; without one, the newest',
  placeholder: 'RUN',
  optional: true,
  proposeCompletions: proposeRuns,
} as const;

export const requiredRun = { ...runArgument, brief: 'A run', optional: false } as const;

export const questionArgument = {
  parse: String,
  brief: 'A question of the inbox (Q7), or RUN/KEY for one that will be asked later',
  placeholder: 'QUESTION',
  proposeCompletions: proposeQuestions,
} as const;

async function proposeRuns(this: Context, partial: string): Promise<readonly string[]> {
  const { runIds } = await import('./completions/ids.ts');
  return runIds(this, partial);
}

async function proposeQuestions(this: Context, partial: string): Promise<readonly string[]> {
  const { questionIds } = await import('./completions/ids.ts');
  return questionIds(this, partial);
}
