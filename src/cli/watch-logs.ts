import { logReaderOf } from '../app/host/reader.ts';
import { followLog } from '../app/sessions/follow-log.ts';
import { eventsOf } from '../app/sessions/render-log.ts';
import { sessionLog } from '../app/sessions/watch-session.ts';
import type { Incident } from '../app/status/incidents.ts';
import type { Tutti } from '../app/tutti.ts';
import { oneLine } from '../lib/terminal-text.ts';
import { lineRedactor } from '../lib/redact-lines.ts';
import type { DriverEvent } from '../model/driver.ts';
import type { FeedEvent } from '../model/event.ts';
import { stepIdOf } from '../model/key.ts';
import { isTerminal } from '../model/session.ts';

/** A session that a step has started. */
export interface StartedSession {
  readonly step: string;
  readonly session: string;
}

/** What is made of one log, from its first line. */
export interface LogListener {
  /** `isOver`: the session has ended, and the log is read to its end. */
  event(event: DriverEvent, isOver: boolean): void;
}

export interface LogWatch extends Disposable {
  /** Begins to read the log of each session that starts. */
  readonly see: (events: readonly FeedEvent[]) => void;
  /** Reads everything that the logs hold now, and ends. Absent: their last words are not waited for. */
  readonly finish?: () => Promise<void>;
}

/**
 * Follows the logs of sessions while their run is advanced. Disposed of, it tells nothing more. `isIdle`: it keeps no process
 * alive that has nothing else to do.
 */
function followLogs(
  tutti: Tutti,
  listen: (started: StartedSession) => LogListener,
  isIdle: boolean,
): Required<LogWatch> {
  let isLeft = false;
  let isFinishing = false;
  const watches: Promise<void>[] = [];
  const watch = async (started: StartedSession): Promise<void> => {
    const { session: id } = started;
    const session = await tutti.queries.sessions.one(id);
    const path = session === null ? null : await sessionLog(tutti, session, 'output.log');
    if (session === null || path?.ok !== true) return;
    let events = eventsOf(logReaderOf(tutti, session));
    let heard = listen(started);
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
        for (const { event } of events({ ...line, text: redacted(line.text) }))
          if (!isLeft) heard.event(event, isKnownOver);
      },
      anew: () => {
        events = eventsOf(logReaderOf(tutti, session));
        heard = listen(started);
      },
      caughtUp: () => undefined,
    };
    await followLog(path.value, listener, {
      isOver: async () => isLeft || isFinishing || (await isOver()),
      isLeft: () => isLeft,
      ready: () => Promise.resolve(),
      isIdle,
    });
  };
  return {
    see: (events) => {
      for (const { event } of events) {
        if (event.type !== 'step.launched' || event.session === null) continue;
        // A log that cannot be read is no reason to fail what only shows it.
        const started = { step: stepIdOf(event.key), session: event.session };
        watches.push(watch(started).catch(() => undefined));
      }
    },
    finish: async () => {
      isFinishing = true;
      await Promise.all(watches);
    },
    [Symbol.dispose]: () => {
      isLeft = true;
    },
  };
}

/** Tells everything that sessions write, to their last line. */
export function watchLogs(tutti: Tutti, listen: (started: StartedSession) => LogListener): LogWatch {
  return followLogs(tutti, listen, false);
}

/** Says when a CLI asks its model again: that can take minutes in which nothing else happens. */
export function watchRetries(tutti: Tutti, say: (incident: Incident) => void): LogWatch {
  const retrying = ({ step }: StartedSession): LogListener => ({
    event: (event, isOver) => {
      // How often it did so is told with the end of its turn.
      if (event.type !== 'retrying' || isOver) return;
      say({ step, text: `its CLI tries again: ${oneLine(event.reason, 500)}` });
    },
  });
  const watch = followLogs(tutti, retrying, true);
  return { see: watch.see, [Symbol.dispose]: () => watch[Symbol.dispose]() };
}
