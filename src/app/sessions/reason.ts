import { messageOf } from '../../model/message.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import type { Tutti } from '../tutti.ts';
import { ownEnd } from './find.ts';

type Looking = Pick<Tutti, 'queries'>;

/** Why a session did not succeed, in one sentence; null when it did, or when nobody said. */
export async function reasonOf(tutti: Looking, session: Session): Promise<string | null> {
  const { runId, key, attempt, status, startedAt } = session;
  const killed = status === 'KILLED' ? await whoKilled(tutti, session) : null;
  if (killed !== null) return killed;
  if (session.lost) return 'its process vanished without a result';
  if (isTerminal(status) && session.outcome === null) {
    return `its process has ended, and no process has read its result yet: tutti session wait ${session.id}`;
  }
  const asked = (await ownEnd(tutti, session))?.failure?.message ?? null;
  if (asked !== null) return asked;
  const entry = (await tutti.queries.entries(runId)).find(
    (each) => each.key === key && each.attempt === attempt,
  );
  const told = entry === undefined ? await whyOfEarlierAttempt(tutti, session) : messageOf(entry.state);
  if (told !== null || startedAt !== null || status === 'CREATED') return told;
  // It never came to run: its run knows what stood in the way.
  const state = (await tutti.queries.run(runId))?.state;
  return state?.at === 'ended' ? (state.failure?.message ?? null) : null;
}

/** Its step was tried again, and its entry is that of the later attempt. From the feed, which is kept for a while only. */
async function whyOfEarlierAttempt(
  { queries }: Looking,
  { runId, key, attempt }: Session,
): Promise<string | null> {
  const ended = (await queries.events(runId, 0)).findLast(
    ({ event }) => event.type === 'step.ended' && event.key === key && event.attempt === attempt,
  )?.event;
  return ended?.type === 'step.ended' && ended.outcome !== 'SUCCESS' ? ended.message : null;
}

/** From the feed, which is kept for a while only. */
async function whoKilled({ queries }: Looking, { id, runId }: Session): Promise<string | null> {
  const told = (await queries.events(runId, 0))
    .flatMap(({ event }) => (event.type === 'session.killed' && event.session === id ? [event] : []))
    .at(-1);
  return told === undefined ? null : `killed by ${told.by}: ${told.reason}`;
}
