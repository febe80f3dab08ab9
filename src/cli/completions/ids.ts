import { agentNames } from '../../app/agents/agent-places.ts';
import { findProject } from '../../app/project.ts';
import { newestRuns } from '../../app/runs/newest.ts';
import { anySession, liveStatuses } from '../../app/sessions/choose.ts';
import { openTutti, type Tutti } from '../../app/tutti.ts';
import type { Context } from '../context.ts';

const most = 200;

export function runIds(context: Context, partial: string): readonly string[] {
  return fromProject(context, partial, (tutti) =>
    newestRuns(tutti, { limit: most, sessions: false }).map(({ id }) => id),
  );
}

export function questionIds(context: Context, partial: string): readonly string[] {
  return fromProject(context, partial, ({ queries }) => queries.openQuestions().map(({ id }) => id));
}

export function sessionIds(context: Context, partial: string): readonly string[] {
  return fromProject(context, partial, ({ queries }) =>
    queries.sessions.list(anySession, { limit: most, before: null }).map(({ id }) => id),
  );
}

export function liveSessionIds(context: Context, partial: string): readonly string[] {
  return fromProject(context, partial, ({ queries }) =>
    liveStatuses
      .flatMap((status) => queries.sessions.list({ ...anySession, status }, { limit: most, before: null }))
      .map(({ id }) => id),
  );
}

/** Of files, not of the database: a folder need not be a project yet. */
export function agentsHere({ folder }: Context, partial: string): readonly string[] {
  return agentNames(findProject(folder)).filter((name) => name.startsWith(partial));
}

/** Whatever is wrong with the project, somebody who presses Tab must not be told so. */
export function fromProject(
  { folder, env }: Pick<Context, 'folder' | 'env'>,
  partial: string,
  read: (tutti: Tutti) => readonly string[],
): readonly string[] {
  try {
    const opened = openTutti({ folder, env, create: false });
    if (!opened.ok) return [];
    using tutti = opened.value;
    return read(tutti).filter((id) => id.startsWith(partial));
  } catch {
    return [];
  }
}
