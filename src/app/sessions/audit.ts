import { auditLine, type AuditKind, auditText, typesOfKind } from '../../model/audit.ts';
import type { FeedEvent, AuditEvent } from '../../model/event.ts';
import type { Output } from '../../model/schemas/published.ts';
import { recorded } from '../../lib/json.ts';
import { instant } from '../status/run-status.ts';
import type { Tutti } from '../tutti.ts';

export interface AuditRequest {
  /** How far back; null: as far as there are events. */
  readonly sinceMs: number | null;
  readonly kind: AuditKind | null;
  readonly session: string | null;
}

/** A project that has been used for years has many events. */
const atOnce = 1000;

/** What is known about sessions, the newest last: from the events, which are the truth, and not from the log. */
export async function* auditEvents(
  { queries, clock }: Pick<Tutti, 'queries' | 'clock'>,
  { sinceMs, kind, session }: AuditRequest,
): AsyncGenerator<FeedEvent> {
  const since = sinceMs === null ? 0 : clock.wall() - sinceMs;
  const filter = { since, session, types: kind === null ? null : typesOfKind(kind) };
  for (let seen = 0; ; ) {
    const events = await queries.audit.events(filter, seen, atOnce);
    yield* events;
    if (events.length < atOnce) return;
    seen = events.at(-1)?.seq ?? seen;
  }
}

/** As it stands in the log, without the newline. */
export function auditSentence({ at, event }: FeedEvent): string {
  return auditText(at, recorded<AuditEvent>(event)).trimEnd();
}

/** The published form of `tutti session audit --json`. */
export function auditJson({ seq, at, runId, event }: FeedEvent): Output<'session-audit'> {
  const told = recorded<AuditEvent>(event);
  const { kind, level, session, message } = auditLine(told);
  return {
    seq,
    at: instant(at),
    event: kind,
    session_id: session,
    level,
    message,
    run_id: runId === '' ? null : runId,
    ...detailOf(told),
  };
}

function detailOf(event: AuditEvent): Partial<Output<'session-audit'>> {
  switch (event.type) {
    case 'session.created':
    case 'session.refused':
      return { agent: event.agent, requester: event.requester };
    case 'session.began':
      return { from: 'CREATED', status: 'RUNNING' };
    case 'session.ended': {
      const { from, status, outcome, exitCode } = event;
      return { from, status, outcome, exit_code: exitCode };
    }
    case 'session.killed':
      return { reason: event.reason, by: event.by };
    case 'session.warned':
      return { about: event.about };
    case 'session.sandbox':
    case 'session.model':
    case 'session.blocked':
    case 'session.archived':
    case 'session.pruned':
      return {};
    case 'decision.made':
      return { decision: event.decision, about: event.about, by: event.by };
    case 'decision.refused': {
      const { decision, about, by, sign } = event;
      return { decision, about, by, sign, refused: true };
    }
  }
}
