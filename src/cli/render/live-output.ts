import { glyphs } from '../../lib/glyphs.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { FeedEvent } from '../../model/event.ts';
import { isRepair, rootStepOf, stepIdOf } from '../../model/key.ts';
import { abbreviateTold } from '../../model/message.ts';
import type { ToldEvent } from '../../app/status/incidents.ts';
import type { RunStatus } from '../../app/status/run-status.ts';
import type { Context } from '../context.ts';
import { jsonLine } from '../print.ts';
import { eventJson, eventLine, type EventLine, incidentLine } from './event-line.ts';
import { frameOf } from './frame.ts';
import { marks } from './marks.ts';
import { PaintedArea } from './painted-area.ts';
import { painter } from './style.ts';

/** How a run is shown while it is advanced. */
export interface RunView extends AsyncDisposable {
  /** Something happened. */
  events(events: readonly ToldEvent[]): void;
  /** A moment passed. */
  tick(): Promise<void>;
  /** Something for the person, between the lines. */
  say(line: string): void;
  /** The run's message, with what stands in lines above in short. */
  abbreviated(message: string): string;
}

/** For a pipe, a log or CI: one line for each thing that happened. */
export function plainView({ process, screen }: Context): RunView {
  const paint = painter(screen.colour);
  const write = (text: string): void => {
    process.stdout.write(`${text}\n`);
  };
  const told = new Set<string>();
  return {
    events: (events) => {
      for (const { feed, ...rest } of events) {
        const once = tellOnce(feed, told);
        // The end of the run is told by the command that advanced it, with the next command.
        const lines = once.event.type === 'run.ended' ? [] : linesOf({ feed: once, ...rest });
        for (const line of lines) write(`${paint(line.tone, line.glyph)} ${line.text}`);
      }
    },
    tick: async () => undefined,
    say: write,
    abbreviated: (message) => abbreviateTold(message, told),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** For programs: NDJSON. */
export function jsonView({ process }: Context): RunView {
  return {
    events: (events) => {
      for (const { feed } of events) process.stdout.write(`${jsonLine(eventJson(feed))}\n`);
    },
    tick: async () => undefined,
    say: () => undefined,
    abbreviated: (message) => message,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** A verdict or judgement that quotes why a part of its step failed leaves the quotation out. */
function tellOnce(feed: FeedEvent, told: Set<string>): FeedEvent {
  const { event } = feed;
  // A turn that ends with a question has no failure to tell.
  if (event.type !== 'step.ended' || event.message === null || event.asks === true) return feed;
  const step = `${rootStepOf(event.key)}: `;
  const { message } = event;
  const quoted = [...told]
    .filter((words) => words.startsWith(step) && message.endsWith(words.slice(step.length)))
    .map((words) => words.length - step.length);
  told.add(`${step}${message}`);
  if (event.kind !== 'step' || quoted.length === 0) return feed;
  const rest = message.slice(0, -Math.max(...quoted)).replace(/[:\s]+$/, '');
  return { ...feed, event: { ...event, message: rest === '' ? null : rest } };
}

/** An event in lines for people, with what happened in the turn that it ends. */
export function linesOf({ feed, incidents, waived }: ToldEvent): readonly EventLine[] {
  const told = eventLine(feed.event);
  const line = told === null || waived === undefined ? told : unprovenLine(told, waived);
  return [...(line === null ? [] : [line]), ...incidents.map(incidentLine)];
}

/** A step that is done without what a person waived: no code has accepted that part. */
function unprovenLine(line: EventLine, waived: readonly string[]): EventLine {
  if (line.glyph !== glyphs.good) return line;
  const [glyph, tone] = marks.note;
  return { glyph, tone, text: `${line.text}, not proven: ${oneLine(waived.join('; '), 500)}` };
}

const clockEveryMs = 1000;

/** A run as it is painted, with what its sessions do. */
export interface ShownRun {
  readonly status: RunStatus;
  readonly doing: (sessionId: string) => string;
}

/** For a person at a terminal: painted again when something happened, and each second for the clocks. */
export function liveView(context: Context, read: () => Promise<ShownRun | null>, now: () => number): RunView {
  const { screen } = context;
  const area = new PaintedArea(context);
  const setbacks = onTheWay();
  const paint = painter(screen.colour);
  let dirty = true;
  let paintedAt = 0;
  let restMs = 0;
  const draw = async (): Promise<void> => {
    const startedAt = now();
    const shown = await read();
    if (shown === null) return;
    const { status, doing } = shown;
    area.paint(
      frameOf(status, {
        now: startedAt,
        columns: screen.columns() - 1,
        rows: screen.rows() - 2,
        paint,
        doing,
      }),
    );
    dirty = false;
    paintedAt = now();
    // A run of many thousand steps takes a while to read: looking at it must not slow it down.
    restMs = (paintedAt - startedAt) * 10;
  };
  const resized = screen.onResize(() => {
    dirty = true;
  });
  return {
    events: (events) => {
      dirty ||= events.length > 0;
      // A step shows how it stands now; what went wrong on the way would be painted over.
      for (const event of events) {
        for (const line of setbacks(event)) area.say(`${paint(line.tone, line.glyph)} ${line.text}`);
      }
    },
    tick: async () => {
      const since = now() - paintedAt;
      if (since >= restMs && (dirty || since >= clockEveryMs)) await draw();
    },
    say: (line) => {
      area.say(line);
    },
    abbreviated: (message) => message,
    [Symbol.asyncDispose]: async () => {
      resized[Symbol.dispose]();
      await draw();
      area[Symbol.dispose]();
    },
  };
}

/** What a step's line does not show: incidents of its turns, and why it is tried again. */
function onTheWay(): (told: ToldEvent) => readonly EventLine[] {
  const setbacks = new Map<string, string>();
  return (told) => {
    const { event } = told.feed;
    if (event.type === 'step.retrying') return linesOf(told);
    if (event.type === 'step.ended' && event.message !== null)
      setbacks.set(rootStepOf(event.key), event.message);
    const why = event.type === 'step.launched' ? setbacks.get(rootStepOf(event.key)) : undefined;
    if (event.type !== 'step.launched' || why === undefined || !isRepair(event.key))
      return told.incidents.map(incidentLine);
    return [incidentLine({ step: stepIdOf(event.key), text: `tried again because: ${why}` })];
  };
}
