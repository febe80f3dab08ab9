import { findAsync } from '../../lib/async-list.ts';
import { randomBytes } from 'node:crypto';
import { isSafeId } from '../../lib/ids.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Session } from '../../model/session.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import { type CallingParts, type CallingWork, findCallingWork } from './calling-work.ts';

/** Where a request comes from: a person, or an agent of a session of this or another project. */
export interface Origin {
  readonly depth: number;
  readonly traceId: string;
  /** The run whose budget pays. */
  readonly within: string | null;
  /** The session it comes from, if that is one of this project. */
  readonly parent: string | null;
  /** For the audit. */
  readonly requester: string;
}

/**
 * Of the sessions that a command comes from, the one that is nested deepest is its parent: naming another one gains nothing.
 * Callers that are not Tutti tell depth and trace id in the variables `AGENTIC_SPAWN_DEPTH` and `AGENTIC_TRACE_ID`: they count
 * beside a record of ours, and never lower it.
 */
export async function originOf(parts: CallingParts): Promise<Origin> {
  return describeOrigin(parts, await findCallingWork(parts));
}

async function describeOrigin({ caller, queries }: CallingParts, work: CallingWork): Promise<Origin> {
  const told = (name: string): readonly string[] => caller.variable(name);
  const toldDepth = (name: string): number =>
    Math.max(0, ...told(name).map(Number).filter(Number.isSafeInteger));
  const named = told('TUTTI_SESSION_ID');
  const parent = deepest(work.inTree);
  const recorded = parent === null ? null : await queries.run(parent.runId);
  const traces = [...told('TUTTI_TRACE_ID'), ...told('AGENTIC_TRACE_ID')];
  return {
    // Another tool may have started agents between that session and this command, so a greater depth counts.
    depth: Math.max(
      parent?.depth ?? Math.max(toldDepth('TUTTI_DEPTH'), work.run?.depth ?? 0),
      toldDepth('AGENTIC_SPAWN_DEPTH'),
    ),
    traceId: recorded?.traceId ?? traces.find(isTraceId) ?? randomBytes(8).toString('hex'),
    within: parent?.runId ?? work.run?.id ?? told('TUTTI_RUN_ID').find(isSafeId) ?? null,
    parent: parent?.id ?? null,
    requester:
      parent === null && named.length === 0
        ? `user:${caller.user.name}`
        : `session:${parent?.id ?? named.find(isSafeId) ?? 'unknown'}`,
  };
}

/** As Tutti makes them, and tools that share the variable. */
function isTraceId(text: string): boolean {
  return /^[0-9a-f]{16}$/.test(text);
}

/**
 * Where a request to start agents comes from. It is refused if any session that it comes from has an agent that may start
 * none: what a session was launched with is recorded, and naming another one beside it gains nothing.
 */
export async function originOfAgents(
  tutti: CallingParts & Pick<Tutti, 'queries' | 'store'>,
  agent: string,
): Promise<Result<Origin, Refusal>> {
  const { queries, store } = tutti;
  const work = await findCallingWork(tutti);
  const origin = await describeOrigin(tutti, work);
  const held = await findAsync(
    work.sessions,
    async (from) => (await queries.spec(from.runId, from.key))?.startsSessions !== true,
  );
  if (held === undefined) return ok(origin);
  const message = `session ${held.id} may not start agents: agent ${held.agent} does not have 'sessions' in allow`;
  const { requester } = origin;
  // An agent in a sandbox may not write here; it is refused in any case.
  await store.note(null, { type: 'session.refused', agent, requester, message }).catch(() => undefined);
  return err(
    refusal('USAGE', message, `report it instead: a person can allow it in agents/${held.agent}.md`),
  );
}

function deepest(sessions: readonly Session[]): Session | null {
  return sessions.reduce<Session | null>(
    (found, session) => (session.depth > (found?.depth ?? -1) ? session : found),
    null,
  );
}
