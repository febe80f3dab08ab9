import { recorded } from '../../lib/json.ts';
import { stepIdOf } from '../../model/key.ts';
import type { SessionInput } from '../../model/session-input.ts';
import type { Session } from '../../model/session.ts';
import type { SessionValue } from '../../workflows/session/session.ts';
import type { Tutti } from '../tutti.ts';
import { isOwnRun, latestSession } from './find.ts';

/** Why a session that failed was not tried once more; null where no retry was asked for, or one was made. */
export async function whyNoRetry(tutti: Pick<Tutti, 'queries'>, session: Session): Promise<string | null> {
  const { queries } = tutti;
  if (session.outcome === null || session.outcome === 'SUCCESS' || !(await isOwnRun(tutti, session)))
    return null;
  if ((await latestSession(tutti, session)).id !== session.id) return null;
  const { retryMax } = recorded<SessionInput>(await queries.input(session.runId));
  const state = (await queries.run(session.runId))?.state;
  if (retryMax === 0 || state?.at !== 'ended') return null;
  const value = recorded<SessionValue | null>(state.value);
  if (value?.failure?.reason === 'no-progress') return 'the same failure came twice, and nothing had changed';
  const tries = (await queries.sessions.ofRun(session.runId))
    .filter(({ key }) => /\/(retry|heal)-\d+$/.test(stepIdOf(key)))
    .map(({ key }) => key);
  if (new Set(tries).size >= retryMax) {
    return retryMax === 1 ? 'the one retry was made' : `all ${retryMax} retries were made`;
  }
  return `trying again does not help with ${session.outcome}`;
}
