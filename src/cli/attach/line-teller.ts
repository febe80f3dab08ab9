import type { LineListener, Reader } from '../../app/sessions/follow-log.ts';
import { eventsOf, type LoggedEvent, renderer } from '../../app/sessions/render-log.ts';
import { logReaderOf } from '../../app/host/reader.ts';
import type { SessionLogName } from '../../app/sessions/watch-session.ts';
import { waitUntil } from '../../app/sessions/wait-until.ts';
import { isHeld } from '../../app/status/living-holder.ts';
import type { Tutti } from '../../app/tutti.ts';
import { lineRedactor } from '../../lib/redact-lines.ts';
import { shellWord } from '../../lib/shell-word.ts';
import type { DriverEvent } from '../../model/driver.ts';
import type { KnownQuestion } from '../../model/ports/queries.ts';
import { requestKey } from '../../model/request-key.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import type { Context } from '../context.ts';
import { jsonLine } from '../print.ts';
import { sessionEventJson, sessionLine, sessionLogJson, sessionLogLine } from '../render/session-line.ts';
import { painter } from '../render/style.ts';

export interface TellerParams {
  readonly tutti: Tutti;
  readonly session: Session;
  readonly name: SessionLogName;
  readonly json: boolean;
  /** A line that is safe for a terminal, without its newline. */
  readonly write: (line: string) => void;
  /** Each event, before it is written. */
  readonly heard?: (event: DriverEvent) => void;
}

/** Whoever reads our standard output. */
export function readerOf({ screen }: Pick<Context, 'screen'>): Reader {
  return { isLeft: () => screen.isClosed(), ready: () => screen.drained() };
}

/** Long enough for the process that advances the run to number what its session asks. */
const numberedWithinMs = 2000;

/** By the number of the question; by its key, which is known before, where no process numbers it. */
async function answerCommand(tutti: Tutti, session: Session, request: number): Promise<string> {
  const { runId } = session;
  const key = requestKey(session, request);
  const find = (): Promise<KnownQuestion | null> => tutti.queries.questionAt(runId, key);
  let known = await find();
  if (known === null && (await isHeld(tutti, runId))) {
    await waitUntil(tutti.clock, numberedWithinMs, async () => (known = await find()) !== null);
  }
  return `tutti answer ${known?.id ?? shellWord(`${runId}/${key}`)} allow`;
}

/** The number of what it asks a person; null: it asks nothing that is answered from elsewhere. */
function requestOf(event: DriverEvent): number | null {
  return event.type === 'waiting' ? (event.request?.number ?? null) : null;
}

/** Turns the lines of a log into what a person or a program reads. */
export function lineTeller(
  { screen }: Pick<Context, 'screen'>,
  { tutti, session, name, json, write, heard }: TellerParams,
): Omit<LineListener, 'caughtUp'> {
  const paint = painter(screen.colour);
  // Before it is understood, and so before anything of it is cut.
  let redacted = lineRedactor(tutti.redactor);
  if (name === 'session.log') {
    return {
      line: ({ text: raw, offset }) => {
        const text = redacted(raw);
        write(json ? jsonLine(sessionLogJson(text, offset)) : sessionLogLine(text, paint));
      },
      anew: () => undefined,
    };
  }
  let events = eventsOf(logReaderOf(tutti, session));
  let render = renderer();
  const tell = (logged: LoggedEvent, answer?: string): void => {
    heard?.(logged.event);
    if (json) write(jsonLine(sessionEventJson(logged)));
    else for (const one of render(logged.event, answer)) write(sessionLine(one, paint));
  };
  const tellAsking = async (news: readonly LoggedEvent[]): Promise<void> => {
    for (const logged of news) {
      const request = requestOf(logged.event);
      tell(logged, request === null ? undefined : await answerCommand(tutti, session, request));
    }
  };
  return {
    line: ({ text, offset }) => {
      const news = events({ text: redacted(text), offset });
      // What an ended session asked has no answer any more.
      const isAsking = news.some(({ event }) => requestOf(event) !== null);
      if (isAsking && !json && !isTerminal(session.status)) return tellAsking(news);
      for (const logged of news) tell(logged);
      return undefined;
    },
    anew: () => {
      events = eventsOf(logReaderOf(tutti, session));
      render = renderer();
      redacted = lineRedactor(tutti.redactor);
    },
  };
}
