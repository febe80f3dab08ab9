import { isObject, recorded } from '../lib/json.ts';
import { slug, timestampId } from '../lib/ids.ts';
import { noReservation, type Reservation } from '../model/budget.ts';
import type { Entry } from '../model/entry.ts';
import type { Candidate, NewSession } from '../model/ports/store.ts';
import type { SessionSpec } from '../model/turn.ts';

/** How an entry presents itself at admission. `ask`: what it reserves unless turns of its agent tell more. */
export function candidateOf(entry: Entry, now: number, ask: Reservation): Candidate {
  const { key, attempt, kind, spec } = entry;
  if (kind !== 'session') return { key, attempt, ask: noReservation, session: null };
  return { key, attempt, ask, session: newSession(recorded<SessionSpec>(spec), now) };
}

/** What the row of a session holds; the store makes its id unique. */
export function newSession(spec: SessionSpec, now: number): NewSession {
  const { agent, driver, tier, turn, continues, handoff } = spec;
  const { host, parent, requester, tags } = handoff;
  const baseId = `${timestampId(now)}-${slug(agent)}`;
  return { baseId, agent, driver, tier, turn, continues, host, parent, requester, tags };
}

/** The earlier of the attempt's own deadline and the end of the run's wall time. */
export function deadlineOf({ spec }: Entry, now: number, wallEndsAt: number | null): number | null {
  const timeoutMs = isObject(spec) && typeof spec['timeoutMs'] === 'number' ? spec['timeoutMs'] : null;
  if (timeoutMs === null) return wallEndsAt;
  return Math.min(now + timeoutMs, wallEndsAt ?? Infinity);
}
