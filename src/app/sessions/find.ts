import { isSafeId } from '../../lib/ids.ts';
import { recorded } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Budget } from '../../model/budget.ts';
import type { Run } from '../../model/run.ts';
import type { Session } from '../../model/session.ts';
import type { SessionValue } from '../../workflows/session/session.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import { familyOf } from '../../model/family.ts';

/** Where sessions can be looked up; a folder that is no project yet knows none. */
export interface KnownSessions {
  readonly queries: {
    run(id: string): Promise<Pick<Run, 'traceId' | 'rootId' | 'depth'> | null>;
    budget(runId: string): Promise<Pick<Budget, 'limits'> | null>;
    readonly sessions: {
      one(id: string): Promise<Session | null>;
      startingWith(prefix: string, limit: number): Promise<readonly Session[]>;
      newest(): Promise<Session | null>;
      ofRun(runId: string): Promise<readonly Session[]>;
    };
  };
}

export const noSessions: KnownSessions = {
  queries: {
    run: async () => null,
    budget: async () => null,
    sessions: {
      one: async () => null,
      startingWith: async () => [],
      newest: async () => null,
      ofRun: async () => [],
    },
  },
};

/** How many sessions a prefix that fits several is answered with. */
const maxNamed = 3;

/** The session that a person named: by its id, by a beginning that no other id has, or as `last`. */
export async function requiredSession(
  { queries }: KnownSessions,
  name: string,
): Promise<Result<Session, Refusal>> {
  if (!isSafeId(name)) return err(unknownSession(name));
  const exact = await queries.sessions.one(name);
  if (exact !== null) return ok(exact);
  const newest = name === 'last' ? await queries.sessions.newest() : null;
  if (newest !== null) return ok(newest);
  const [first, ...others] = await queries.sessions.startingWith(name, maxNamed + 1);
  if (first === undefined) return err(unknownSession(name));
  return others.length === 0 ? ok(first) : err(ambiguousSession(name, [first, ...others]));
}

function ambiguousSession(name: string, fitting: readonly Session[]): Refusal {
  const named = fitting.slice(0, maxNamed).map(({ id }) => id);
  const more = fitting.length > maxNamed ? ', …' : '';
  const message = `Several sessions begin with ${name}: ${named.join(', ')}${more}`;
  return refusal('USAGE', message, 'type more of the id, or list them: tutti session list');
}

export function unknownSession(id: string): Refusal {
  return refusal('USAGE', `Session not found: ${oneLine(id, 80)}`, 'List all sessions: tutti session list');
}

/** The last session of what was asked for, as it is now: after a retry it is another one than the first. */
export async function latestSession({ queries }: Pick<Tutti, 'queries'>, session: Session): Promise<Session> {
  const now = (await isOwnRun({ queries }, session))
    ? (await queries.sessions.ofRun(session.runId)).at(-1)
    : await queries.sessions.one(session.id);
  return now ?? session;
}

/**
 * How a session that was asked for by itself came to its end, where its run says more than its last turn: an agent whose
 * question was answered often enough is not asked about again. Null: its last turn says it.
 */
export async function ownEnd(
  { queries }: Pick<Tutti, 'queries'>,
  session: Session,
): Promise<SessionValue | null> {
  if (!(await isOwnRun({ queries }, session))) return null;
  const last = await latestSession({ queries }, session);
  const state = (await queries.run(session.runId))?.state;
  if (last.id !== session.id || last.outcome !== 'HUMAN_INPUT' || state?.at !== 'ended') return null;
  return recorded<SessionValue | null>(state.value);
}

/** Whether the session was asked for by itself, and is not a step of something larger. */
export async function isOwnRun({ queries }: Pick<Tutti, 'queries'>, session: Session): Promise<boolean> {
  const run = await queries.run(session.runId);
  return run !== null && familyOf(run).isSession;
}
