import { logReaderOf } from '../app/host/reader.ts';
import { followLog } from '../app/sessions/follow-log.ts';
import { eventsOf } from '../app/sessions/render-log.ts';
import { sessionLog } from '../app/sessions/watch-session.ts';
import type { Incident } from '../app/status/incidents.ts';
import type { Tutti } from '../app/tutti.ts';
import { oneLine } from '../lib/terminal-text.ts';
import { lineRedactor } from '../lib/redact-lines.ts';
import type { FeedEvent } from '../model/event.ts';
import { stepIdOf } from '../model/key.ts';
import { isTerminal } from '../model/session.ts';

export interface RetryWatch extends Disposable {
  /** Begins to read the log of each session that starts. */
  readonly see: (events: readonly FeedEvent[]) => void;
}

/** Says when a CLI asks its model again: that can take minutes in which nothing else happens. */
export function watchRetries(tutti: Tutti, say: (incident: Incident) => void): RetryWatch {
  let isLeft = false;
  const watch = async (step: string, id: string): Promise<void> => {
    const session = await tutti.queries.sessions.one(id);
    const path = session === null ? null : await sessionLog(tutti, session, 'output.log');
    if (session === null || path?.ok !== true) return;
    let events = eventsOf(logReaderOf(tutti, session));
    const redacted = lineRedactor(tutti.redactor);
    // Asked before each look at the log, so that it holds for the lines of that look.
    let isKnownOver = false;
    const isOver = async (): Promise<boolean> => {
      const now = await tutti.queries.sessions.one(id);
      isKnownOver = now === null || isTerminal(now.status);
      return isKnownOver;
    };
    const listener = {
      line: (line: Parameters<typeof events>[0]) => {
        for (const { event } of events({ ...line, text: redacted(line.text) })) {
          // How often it did so is told with the end of its turn.
          if (event.type !== 'retrying' || isLeft || isKnownOver) continue;
          say({ step, text: `its CLI tries again: ${oneLine(event.reason, 500)}` });
        }
      },
      anew: () => {
        events = eventsOf(logReaderOf(tutti, session));
      },
      caughtUp: () => undefined,
    };
    await followLog(path.value, listener, {
      isOver: async () => isLeft || (await isOver()),
      isLeft: () => isLeft,
      ready: () => Promise.resolve(),
      isIdle: true,
    });
  };
  return {
    see: (events) => {
      for (const { event } of events) {
        if (event.type !== 'step.launched' || event.session === null) continue;
        // A log that cannot be read is no reason to fail what only shows it.
        watch(stepIdOf(event.key), event.session).catch(() => undefined);
      }
    },
    [Symbol.dispose]: () => {
      isLeft = true;
    },
  };
}
