import type { LineListener, Reader } from '../../app/sessions/follow-log.ts';
import { type AnswerCommand, eventsOf, renderer } from '../../app/sessions/render-log.ts';
import { logReaderOf } from '../../app/host/reader.ts';
import type { SessionLogName } from '../../app/sessions/watch-session.ts';
import type { Tutti } from '../../app/tutti.ts';
import { lineRedactor } from '../../lib/redact-lines.ts';
import { shellWord } from '../../lib/shell-word.ts';
import type { DriverEvent } from '../../model/driver.ts';
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

/** By the key of the question, which is known before any process has numbered the question. */
function answerCommand(session: Session): AnswerCommand {
  return (request) => `tutti answer ${shellWord(`${session.runId}/${requestKey(session, request)}`)} allow`;
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
  // What an ended session asked has no answer any more.
  const answer = isTerminal(session.status) ? undefined : answerCommand(session);
  let render = renderer(answer);
  return {
    line: ({ text, offset }) => {
      for (const logged of events({ text: redacted(text), offset })) {
        heard?.(logged.event);
        if (json) write(jsonLine(sessionEventJson(logged)));
        else for (const one of render(logged.event)) write(sessionLine(one, paint));
      }
    },
    anew: () => {
      events = eventsOf(logReaderOf(tutti, session));
      render = renderer(answer);
      redacted = lineRedactor(tutti.redactor);
    },
  };
}
