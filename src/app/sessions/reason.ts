import { messageOf } from '../../model/message.ts';
import type { Session } from '../../model/session.ts';
import type { Tutti } from '../tutti.ts';

/** Why a session did not succeed, in one sentence; null when it did, or when nobody said. */
export function reasonOf({ queries }: Pick<Tutti, 'queries'>, session: Session): string | null {
  const { runId, key, attempt, status, startedAt } = session;
  const entry = queries.entries(runId).find((each) => each.key === key && each.attempt === attempt);
  const told = entry === undefined ? null : messageOf(entry.state);
  if (told !== null || startedAt !== null || status === 'CREATED') return told;
  // It never came to run: its run knows what stood in the way.
  const state = queries.run(runId)?.state;
  return state?.at === 'ended' ? (state.failure?.message ?? null) : null;
}
