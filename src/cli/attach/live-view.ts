import { keepLooking } from '../../lib/keep-looking.ts';
import { followLog, type LogPlace } from '../../app/sessions/follow-log.ts';
import { sendToSession } from '../../app/sessions/send.ts';
import { takesInput } from '../../app/host/reader.ts';
import { findSession } from '../../app/sessions/sessions-now.ts';
import { ToldWait, untilEnded, watchedActivity } from '../../app/sessions/watch-session.ts';
import type { Tutti } from '../../app/tutti.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Activity } from '../../model/activity.ts';
import type { Session } from '../../model/session.ts';
import type { Context, Key } from '../context.ts';
import { painter } from '../render/style.ts';
import { BottomArea } from './bottom-area.ts';
import { emptyLine, type InputLine, press, shownLine } from './input-line.ts';
import { lastLines } from './last-lines.ts';
import { lineTeller, readerOf } from './line-teller.ts';
import { statusLine } from './status-line.ts';
import { glyphs } from '../../lib/glyphs.ts';

export interface LiveParams {
  readonly session: Session;
  readonly path: LogPlace;
  /** The view of `--in tmux`: nothing that is typed there ends it. */
  readonly pane: boolean;
}

const clockEveryMs = 1000;
const sendMs = 10_000;
/** What is further back is read in peace: `tutti session logs`. */
const shownLines = 500;
const pasteOn = '\u001B[?2004h';
const pasteOff = '\u001B[?2004l';

/** A session before a person's eyes until it ends or they leave. Resolves when the terminal is theirs again. */
export async function watchLive(context: Context, tutti: Tutti, params: LiveParams): Promise<void> {
  const { session, path, pane } = params;
  const { screen, input } = context;
  const view = new LiveView(context, tutti, params);
  {
    using _view = view;
    await using _clock = keepLooking(tutti.clock, clockEveryMs, () => view.look());
    using _resized = screen.onResize(() => {
      view.paint();
    });
    using _signals = context.onSignal((signal) => {
      if (signal === 'SIGTERM' || !pane) view.leave();
    });
    using _keys = input.onKey((key) => {
      view.press(key);
    });
    await view.look();
    const reader = readerOf(context);
    const isLeft = (): boolean => view.left || reader.isLeft();
    await followLog(path, view.listener, untilEnded(tutti, session.id, { ...reader, isLeft }));
  }
  await view.sending;
}

class LiveView implements Disposable {
  left = false;
  /** Settles when every message was taken or refused. */
  sending: Promise<void> = Promise.resolve();
  readonly listener: Parameters<typeof followLog>[1];
  readonly #context: Context;
  readonly #tutti: Tutti;
  readonly #params: LiveParams;
  readonly #area: BottomArea;
  readonly #takesInput: boolean;
  #line: InputLine = emptyLine;
  readonly #told = new ToldWait();
  #session: Session;
  #isClosed = false;
  #activity: Activity = { at: 'starting' };

  constructor(context: Context, tutti: Tutti, params: LiveParams) {
    const { session } = params;
    this.#context = context;
    this.#tutti = tutti;
    this.#params = params;
    this.#session = session;
    this.#area = new BottomArea(context);
    this.#takesInput = takesInput(tutti, session);
    const lines = lastLines(
      shownLines,
      (text) => {
        this.#area.say(text);
      },
      (count) => `… ${count} lines before: tutti session logs ${session.id}`,
    );
    const teller = lineTeller(context, {
      tutti,
      session,
      name: 'output.log',
      json: false,
      write: lines.add,
      heard: (event) => {
        this.#told.hear(event);
      },
    });
    this.listener = { ...teller, caughtUp: lines.flush };
    context.process.stdout.write(pasteOn);
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#area[Symbol.dispose]();
    this.#context.process.stdout.write(pasteOff);
  }

  leave(): void {
    this.left = true;
  }

  /** Looks at the session, and paints what it sees. */
  async look(): Promise<void> {
    try {
      this.#session = (await findSession(this.#tutti, this.#session.id)) ?? this.#session;
    } catch {
      // A glance that failed is no news. Whether the database can be used is for the following to say.
    }
    if (!this.#isClosed) this.paint();
  }

  paint(): void {
    const { screen } = this.#context;
    const paint = painter(screen.colour);
    // A terminal wraps what reaches its last column.
    const columns = Math.max(8, screen.columns() - 1);
    const status = this.#status(columns);
    if (!this.#takesInput) {
      this.#area.paint({ lines: [status], cursor: null });
      return;
    }
    const { text, cursor } = shownLine(this.#line, columns - 2);
    this.#area.paint({ lines: [status, `${paint('busy', '›')} ${text}`], cursor: cursor + 2 });
  }

  #status(columns: number): string {
    const { clock } = this.#tutti;
    try {
      this.#activity = watchedActivity(this.#tutti, this.#session, this.#told.now);
    } catch {
      // Nor is one at the session's files.
    }
    return statusLine({
      session: this.#session,
      activity: this.#activity,
      now: clock.wall(),
      columns,
      paint: painter(this.#context.screen.colour),
      // The last line of a pane is tmux's own, and names its keys.
      hint: this.#params.pane ? '' : 'Ctrl-C detaches',
    });
  }

  press(key: Key): void {
    const pressed = press(this.#line, key);
    if (pressed.at === 'left') {
      this.#leaveBy(pressed.by);
      return;
    }
    this.#line = pressed.at === 'edited' ? pressed.line : emptyLine;
    if (pressed.at === 'sent') this.#send(pressed.text);
    this.paint();
  }

  /** In the pane of a session it would be a strange thing to lose the view, and worse to end the session. */
  #leaveBy(key: string): void {
    if (!this.#params.pane) {
      this.leave();
      return;
    }
    this.#line = emptyLine;
    const { id } = this.#params.session;
    this.#say(
      'quiet',
      `${key} does nothing here; the last line names the keys that detach, tutti session kill ${id} ends the session`,
    );
    this.paint();
  }

  #send(text: string): void {
    const { id } = this.#params.session;
    this.#say('busy', `› ${oneLine(text, 1000)}`);
    this.sending = this.sending.then(async () => {
      try {
        const sent = await sendToSession(this.#tutti, { id, text, timeoutMs: sendMs });
        if (sent.ok) this.#say('quiet', `${glyphs.good} taken: ${oneLine(text, 60)}`);
        else
          this.#say(
            'bad',
            `${glyphs.bad} ${oneLine(sent.error.message, 1000)} → ${oneLine(sent.error.hint, 300)}`,
          );
      } catch (error) {
        this.#say('bad', `${glyphs.bad} not sent: ${oneLine(String(error), 1000)}`);
      }
    });
  }

  #say(tone: 'busy' | 'quiet' | 'bad', line: string): void {
    this.#area.say(`${painter(this.#context.screen.colour)(tone, line)}\n`);
  }
}
