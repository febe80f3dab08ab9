import { elapsedMs } from '../../app/sessions/session-row.ts';
import { formatDuration } from '../../lib/duration.ts';
import type { Outcome } from '../../model/outcome.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import type { Paint } from '../render/style.ts';
import { glyphs } from '../../lib/glyphs.ts';

export interface Closing {
  readonly lines: readonly string[];
  readonly outcome: Outcome;
}

export interface ClosingParams {
  readonly session: Session;
  /** The session that tries again what this one failed at. */
  readonly retriedAs: string | null;
  readonly now: number;
  readonly paint: Paint;
}

/** How it ended, or that it goes on, with the next command. */
export function closingOf({ session, retriedAs, now, paint }: ClosingParams): Closing {
  const { id, status, outcome, lost, exitCode } = session;
  if (!isTerminal(status)) {
    return {
      lines: [`detached: session ${id} continues`, `  → attach again: tutti session attach ${id}`],
      outcome: 'SUCCESS',
    };
  }
  if (outcome === null) {
    const message = `session ${id} has ended (${status}), and no process has read its result yet`;
    return { lines: [message, `  → read it: tutti session wait ${id}`], outcome: 'FAILURE' };
  }
  const time = formatDuration(elapsedMs(session, now));
  const code = exitCode === null ? '' : `, exit code ${exitCode}`;
  const how =
    outcome === 'SUCCESS'
      ? `${paint('good', glyphs.good)} session ${id} ${status} in ${time}`
      : `${paint('bad', glyphs.bad)} session ${id} ${status} after ${time}: ${lost ? 'lost' : outcome}${code}`;
  const next =
    retriedAs === null
      ? `  → look at it: tutti session status ${id}`
      : `  → it is tried again: tutti session attach ${retriedAs}`;
  return { lines: [how, next], outcome };
}
