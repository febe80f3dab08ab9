import { limitKindOf } from '../../model/limit-pause.ts';
import { join } from 'node:path';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Activity, ActivityFacts } from '../../model/activity.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { DriverEvent } from '../../model/driver.ts';
import { permissionText } from '../../model/permission.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import { activityNow } from './activity.ts';
import { sessionFolder } from '../host/session-folder.ts';
import type { Following, Reader } from './follow-log.ts';
import { isHeld } from '../status/living-holder.ts';
import { lookAtSession } from './sessions-now.ts';

export type SessionLogName = 'output.log' | 'session.log';

/** Looking at files and processes is dearer than looking at the tables. */
const lookEveryMs = 1000;

/** Where a log of a session is now: it may be moved to the archive while somebody reads it. */
export async function sessionLog(
  { paths, queries }: Tutti,
  session: Session,
  name: SessionLogName,
): Promise<Result<() => Promise<string | null>, Refusal>> {
  const place = async (): Promise<string | null> => {
    const folder = sessionFolder(paths, (await queries.sessions.one(session.id)) ?? session);
    return folder === null ? null : join(folder, name);
  };
  if ((await place()) !== null) return ok(place);
  const message = `the files of session ${session.id} were removed from the archive`;
  return err(refusal('USAGE', message, `see what is known of it: tutti session status ${session.id}`));
}

/** Until the session has ended, also where no other process is awake to notice. */
export function untilEnded(tutti: Tutti, id: string, reader: Reader): Following {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return {
    ...reader,
    isOver: async () => {
      const row = await tutti.queries.sessions.one(id);
      if (row === null || isTerminal(row.status)) return true;
      const now = tutti.clock.monotonic();
      if (now - lookedAt < lookEveryMs) return false;
      lookedAt = now;
      // A living holder reads its result and records it in a moment.
      return !(await isHeld(tutti, row.runId)) && isTerminal((await lookAtSession(tutti, row)).status);
    },
  };
}

/** As much of what is asked as an activity shows. */
const longestAsked = 500;

/** The last thing that a log told, if that was a wait: the process that follows it knows without reading it again. */
export class ToldWait {
  #told: ActivityFacts['told'] = null;
  /** Requests that nobody has answered: it waits for all of them, whatever else it says. */
  readonly #asks = new Map<number, string>();

  get now(): ActivityFacts['told'] {
    const [why] = this.#asks.values();
    return why === undefined ? this.#told : { at: 'waiting', for: why };
  }

  hear(event: DriverEvent): void {
    if (event.type === 'waiting' && event.request !== undefined) {
      this.#asks.set(event.request.number, oneLine(permissionText(event.request), longestAsked));
    } else if (event.type === 'answered') this.#asks.delete(event.request);
    else this.#told = toldAfter(this.#told, event);
  }
}

function toldAfter(
  before: ActivityFacts['told'],
  event: Exclude<DriverEvent, { type: 'answered' }>,
): ActivityFacts['told'] {
  switch (event.type) {
    case 'waiting':
      return { at: 'waiting', for: event.why };
    case 'limit':
      return { at: 'limit-paused', until: event.resetAt, ...limitKindOf(event.kind) };
    case 'text':
    case 'tool':
    case 'tool-failed':
    case 'files':
    case 'retrying':
      return null;
    case 'usage':
    case 'conversation':
    case 'denied':
    case 'blocked':
    case 'sign-in':
    case 'problem':
      return before;
  }
}

/** What a session does, seen by somebody who follows its log. */
export function watchedActivity(tutti: Tutti, session: Session, told: ActivityFacts['told']): Activity {
  const seen = activityNow(tutti, session, 'glance');
  return told !== null && (seen.at === 'working' || seen.at === 'stalled') ? told : seen;
}
