import type { Context } from './context.ts';

/** Positional arguments that several commands share. Ids are proposed by the shell's completion, from the database. */
export const runArgument = {
  parse: String,
  brief: 'A run; default: the newest',
  placeholder: 'RUN',
  optional: true,
  proposeCompletions: proposeRuns,
} as const;

export const requiredRun = { ...runArgument, brief: 'A run', optional: false } as const;

export const questionArgument = {
  parse: String,
  brief: 'Question from the inbox: Q7, or RUN/KEY',
  placeholder: 'QUESTION',
  proposeCompletions: proposeQuestions,
} as const;

export const sessionArgument = {
  parse: String,
  brief: 'A session id, a unique prefix of it, or last',
  placeholder: 'ID',
  proposeCompletions: proposeSessions,
} as const;

/** One that has not ended. */
export const liveSessionArgument = { ...sessionArgument, proposeCompletions: proposeLiveSessions } as const;

export const agentArgument = {
  parse: String,
  brief: 'An agent of this project, or a built-in one',
  placeholder: 'AGENT',
  proposeCompletions: proposeAgents,
} as const;

async function proposeRuns(this: Context, partial: string): Promise<readonly string[]> {
  const { runIds } = await import('./completions/ids.ts');
  return runIds(this, partial);
}

async function proposeQuestions(this: Context, partial: string): Promise<readonly string[]> {
  const { questionIds } = await import('./completions/ids.ts');
  return questionIds(this, partial);
}

async function proposeSessions(this: Context, partial: string): Promise<readonly string[]> {
  const { sessionIds } = await import('./completions/ids.ts');
  return sessionIds(this, partial);
}

async function proposeLiveSessions(this: Context, partial: string): Promise<readonly string[]> {
  const { liveSessionIds } = await import('./completions/ids.ts');
  return liveSessionIds(this, partial);
}

async function proposeAgents(this: Context, partial: string): Promise<readonly string[]> {
  const { agentsHere } = await import('./completions/ids.ts');
  return agentsHere(this, partial);
}
