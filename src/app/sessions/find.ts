import { isSafeId } from '../../lib/ids.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Session } from '../../model/session.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';

/** Where sessions can be looked up; a folder that is no project yet knows none. */
export interface KnownSessions {
  readonly queries: { readonly sessions: { one(id: string): Session | null } };
}

export const noSessions: KnownSessions = { queries: { sessions: { one: () => null } } };

export function requiredSession({ queries }: KnownSessions, id: string): Result<Session, Refusal> {
  const session = isSafeId(id) ? queries.sessions.one(id) : null;
  return session === null ? err(unknownSession(id)) : ok(session);
}

export function unknownSession(id: string): Refusal {
  return refusal('USAGE', `Session not found: ${oneLine(id, 80)}`, 'List all sessions: tutti session list');
}

/** The last session of what was asked for: after a retry it is another one than the first. */
export function latestSession({ queries }: Pick<Tutti, 'queries'>, session: Session): Session {
  if (!isOwnRun({ queries }, session)) return session;
  return queries.sessions.ofRun(session.runId).at(-1) ?? session;
}

/** Whether the session was asked for by itself, and is not a step of something larger. */
export function isOwnRun({ queries }: Pick<Tutti, 'queries'>, session: Session): boolean {
  return queries.run(session.runId)?.workflow === 'session';
}
