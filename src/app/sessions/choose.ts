import { err, ok, type Result } from '../../lib/result.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { isTerminal, sessionStatuses, type SessionStatus } from '../../model/session.ts';
import type { SessionFilter } from '../../model/ports/session-queries.ts';
import { refusal, type Refusal } from '../refusal.ts';

export { anySession, type SessionFilter } from '../../model/ports/session-queries.ts';

/** Of sessions that may still be ended. */
export const liveStatuses: readonly SessionStatus[] = sessionStatuses.filter((status) => !isTerminal(status));

/** Filters as they were typed. */
export interface SessionChoice {
  readonly status?: string;
  readonly tag?: readonly string[];
  readonly parent?: string;
  readonly archived?: boolean;
}

export function filterOf(choice: SessionChoice): Result<SessionFilter, Refusal> {
  const { status, tag = [], parent = null, archived = false } = choice;
  const known = sessionStatuses.find((each) => each === status?.toUpperCase());
  if (status !== undefined && known === undefined) {
    const message = `Invalid status filter: ${oneLine(status, 80)}`;
    return err(refusal('USAGE', message, `use one of them: --status ${sessionStatuses.join('|')}`));
  }
  return ok({ status: known ?? null, tags: tag, parent, archived });
}
