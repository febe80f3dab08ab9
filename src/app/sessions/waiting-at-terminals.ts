import { oneLine } from '../../lib/terminal-text.ts';
import { nextMessage } from '../../model/hook.ts';
import type { Session } from '../../model/session.ts';
import { anySession } from '../../model/ports/session-queries.ts';
import type { OpenedProject } from '../opened-project.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { activityNow } from './activity.ts';
import { listSessions } from './sessions-now.ts';

/** A session whose own terminal interface waits: only a person there can answer its dialog. */
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
  return running.flatMap((session) => {
    const waitsFor = waitAtTerminal(tutti, session);
    return waitsFor === null ? [] : [{ session, waitsFor }];
  });
}

/** What only a person at its terminal can continue: an open dialog. Null: none is open, or it merely takes messages. */
export function dialogAtTerminal(tutti: OpenedProject, session: Session): Refusal | null {
  const waitsFor = waitAtTerminal(tutti, session);
  if (waitsFor === null || waitsFor === nextMessage) return null;
  const message = `session ${session.id} waits at its terminal: ${oneLine(waitsFor, 300)}`;
  return refusal('HUMAN_INPUT', message, `answer it there: tutti session attach ${session.id}`);
}

function waitAtTerminal(tutti: OpenedProject, session: Session): string | null {
  if (session.host !== 'interactive') return null;
  const activity = activityNow(tutti, session, 'glance');
  return activity.at === 'waiting' ? activity.for : null;
}
