import { isObject, type Json } from '../lib/json.ts';
import { slug, timestampId } from '../lib/ids.ts';
import { noReservation } from '../model/budget.ts';
import type { Entry } from '../model/entry.ts';
import type { Candidate } from '../model/ports/store.ts';

/** How an entry presents itself at admission. */
export function candidateOf(entry: Entry, now: number): Candidate {
  const { key, attempt, kind, spec } = entry;
  if (kind !== 'session') return { key, attempt, ask: noReservation, session: null };
  const agent = text(spec, 'agent');
  return {
    key,
    attempt,
    ask: noReservation,
    session: {
      baseId: `${timestampId(now)}-${slug(agent)}`,
      agent,
      driver: text(spec, 'driver'),
      tier: text(spec, 'tier'),
      turn: isObject(spec) && typeof spec['turn'] === 'number' ? spec['turn'] : 1,
      continues: isObject(spec) && typeof spec['continues'] === 'string' ? spec['continues'] : null,
    },
  };
}

/** The earlier of the attempt's own deadline and the end of the run's wall time. */
export function deadlineOf({ spec }: Entry, now: number, wallEndsAt: number | null): number | null {
  const timeoutMs = isObject(spec) && typeof spec['timeoutMs'] === 'number' ? spec['timeoutMs'] : null;
  if (timeoutMs === null) return wallEndsAt;
  return Math.min(now + timeoutMs, wallEndsAt ?? Infinity);
}

function text(spec: Json, name: string): string {
  return isObject(spec) && typeof spec[name] === 'string' ? spec[name] : '';
}
