import type { Session } from '../../model/session.ts';
import { anySession } from '../../model/ports/session-queries.ts';
import type { OpenedProject } from '../opened-project.ts';
import { activityNow } from './activity.ts';
import { listSessions } from './sessions-now.ts';

/** A session whose own terminal interface shows a dialog: only a person there can answer it. */
export interface WaitingAtTerminal {
  readonly session: Session;
  readonly waitsFor: string;
}

export async function waitingAtTerminals(tutti: OpenedProject): Promise<readonly WaitingAtTerminal[]> {
  const running = await listSessions(
    tutti,
    { ...anySession, status: 'RUNNING' },
    { limit: null, before: null },
  );
  return running
    .filter(({ host }) => host === 'interactive')
    .flatMap((session) => {
      const activity = activityNow(tutti, session, 'glance');
      return activity.at === 'waiting' ? [{ session, waitsFor: activity.for }] : [];
    });
}
