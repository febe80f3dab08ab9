import { formatDuration } from '../lib/duration.ts';
import { oneLine } from '../lib/terminal-text.ts';
import type { Holder } from '../model/holder.ts';
import type { FeedEvent } from '../model/event.ts';
import type { Outcome } from '../model/outcome.ts';
import type { OpenQuestion } from '../model/question.ts';
import { driveOrAwait } from '../app/runs/drive-run.ts';
import { commandOn } from '../app/runs/run-holder.ts';
import { ensureConductor } from '../app/runs/conductor.ts';
import { until } from '../app/sessions/until.ts';
import { SessionDoings } from '../app/sessions/session-doing.ts';
import { incidentsAt } from '../app/status/incidents.ts';
import { runStatus, statusJson, type RunStatus } from '../app/status/run-status.ts';
import type { Tutti } from '../app/tutti.ts';
import { workflows } from '../app/workflows.ts';
import type { Context } from './context.ts';
import { fail } from './fail.ts';
import { heedInterrupts } from './interrupts.ts';
import { printJson, printLines } from './print.ts';
import { incidentLine } from './render/event-line.ts';
import { questionLines } from './render/question-lines.ts';
import { endedHint } from './render/run-hint.ts';
import { jsonView, liveView, plainView, type RunView } from './render/run-view.ts';
import { painter } from './render/style.ts';
import { watchRetries } from './watch-retries.ts';

export interface DriveFlags {
  readonly detach: boolean;
  readonly json: boolean;
}

export interface DriveParams extends DriveFlags {
  readonly runId: string;
  /** Place in the feed after which it is news. */
  readonly after: number;
  /** Wait for people too; absent: as long as somebody watches. */
  readonly stay?: boolean;
  /** Questions that the caller asks by itself: they are not shown a second time. */
  readonly asksItself?: (open: OpenQuestion) => boolean;
}

const lookEveryMs = 100;
const conductorComesMs = 10_000;
/** Without a terminal nothing has to be cut. */
const unlimited = 2000;
/** A failure names what to do at its end, so it is not cut. */
const longestMessage = 4000;

/** Drives a run here and shows it, or leaves it to the conductor. */
export async function drive(context: Context, tutti: Tutti, params: DriveParams): Promise<Outcome> {
  // A person continues it, whatever its holder could not write before.
  if (commandOn(tutti, params.runId) === null) tutti.wishes.release(params.runId);
  return params.detach ? detach(context, tutti, params) : driveHere(context, tutti, params);
}

async function driveHere(context: Context, tutti: Tutti, params: DriveParams): Promise<Outcome> {
  const { runId, json, asksItself } = params;
  const status = (): RunStatus | null => {
    const now = runStatus(tutti, workflows, runId);
    if (now === null || asksItself === undefined) return now;
    return { ...now, questions: now.questions.filter((open) => !asksItself(open)) };
  };
  const watches = context.screen.isTerminal && !json;
  const detached = new AbortController();
  const work = () => driveOrAwait(tutti, { runId, stay: params.stay ?? watches }, detached.signal);
  // What another command advances is refused, and its progress is not shown here.
  const refused = commandOn(tutti, runId) !== null;
  const { end, untold } = refused
    ? { end: await work(), untold: (message: string) => message }
    : await shown(context, tutti, params, status, work, () => {
        detached.abort();
      });
  if (end === null) return sayDetached(context, params, 'INTERRUPTED');
  if (!end.ok) return fail(context, end.error, json);
  const current = status();
  const message = current?.message ?? null;
  const last = current === null || message === null ? current : { ...current, message: untold(message) };
  if (current !== null && json) printJson(context, statusJson(current));
  else if (last !== null && !isAskedByCaller(params, end.value, last))
    printLines(context, closingLines(context, last, end.value, tutti.clock.wall()));
  return end.value;
}

function isAskedByCaller({ asksItself }: DriveParams, outcome: Outcome, { questions }: RunStatus): boolean {
  return asksItself !== undefined && outcome === 'HUMAN_INPUT' && questions.length === 0;
}

async function shown<T>(
  context: Context,
  tutti: Tutti,
  { runId, json, after }: DriveParams,
  status: () => RunStatus | null,
  work: () => Promise<T>,
  leave: () => void,
): Promise<{ readonly end: T; readonly untold: RunView['untold'] }> {
  const now = (): number => tutti.clock.wall();
  const incidents = (event: FeedEvent) => incidentsAt(tutti.queries, event);
  using view = json
    ? jsonView(context)
    : context.screen.isTerminal
      ? liveView(context, status, now, incidents, new SessionDoings(tutti).describe)
      : plainView(context, incidents);
  // A terminal shows the last action of each session, and a program reads logs by itself.
  using retries =
    context.screen.isTerminal || json
      ? null
      : watchRetries(tutti, (incident) => {
          const { tone, glyph, text } = incidentLine(incident);
          view.say(`${painter(context.screen.colour)(tone, glyph)} ${text}`);
        });
  let troubled: string | null = null;
  const look = looker(tutti, runId, after, (news) => {
    const trouble = tutti.wishes.trouble(runId);
    if (trouble !== null && troubled === null)
      view.say(
        `run ${runId} cannot write: ${oneLine(trouble, 500)}; agents at work continue, nothing new starts`,
      );
    if (trouble === null && troubled !== null) view.say(`run ${runId} can write again`);
    troubled = trouble;
    view.events(news);
    retries?.see(news);
    view.tick();
  });
  using _looking = tutti.clock.every(lookEveryMs, look);
  using _signals = heedInterrupts(context, tutti, {
    runId,
    asks: context.screen.isTerminal && context.input.isTerminal && !json,
    say: (line) => {
      view.say(line);
    },
    detach: leave,
  });
  let end: T;
  try {
    end = await work();
  } finally {
    look();
  }
  return { end, untold: (message) => view.untold(message) };
}

function looker(
  tutti: Tutti,
  runId: string,
  after: number,
  show: (news: readonly FeedEvent[]) => void,
): () => void {
  let seen = after;
  return () => {
    try {
      const news = tutti.queries.events(runId, seen);
      seen = news.at(-1)?.seq ?? seen;
      show(news);
    } catch {
      // A glance that failed is no news. Whether the database can be used is for the driver to say, in one sentence.
    }
  };
}

async function detach(context: Context, tutti: Tutti, params: DriveParams): Promise<Outcome> {
  await ensureConductor(tutti);
  // Whoever looks now should not be told that no process advances it. A conductor that does not come is told there.
  const isTaken = (): boolean => runStatus(tutti, workflows, params.runId)?.state !== 'undriven';
  await until(tutti.clock, conductorComesMs, isTaken);
  return sayDetached(context, params, 'SUCCESS');
}

/** A command that was told to detach has done so; one whose person leaves cannot say how the run ends. */
function sayDetached(
  context: Context,
  { runId, json }: DriveParams,
  outcome: 'SUCCESS' | 'INTERRUPTED',
): Outcome {
  const next = `tutti events ${runId} --follow`;
  if (json) printJson(context, { run_id: runId, detached: true });
  else printLines(context, [`run ${runId} continues in the background`, `  → watch it: ${next}`]);
  return outcome;
}

/** A run that another command advances continues there, and this one has nothing left to do. */
export function sayElsewhere(
  context: Context,
  { runId, json }: Pick<DriveParams, 'runId' | 'json'>,
  { pid }: Holder,
): Outcome {
  if (json) printJson(context, { run_id: runId, detached: true });
  else
    printLines(context, [
      `run ${runId} continues in process ${pid}`,
      `  → watch it: tutti events ${runId} --follow`,
    ]);
  return 'SUCCESS';
}

/** How it ended, and what a person can do next. */
function closingLines(context: Context, status: RunStatus, outcome: Outcome, now: number): string[] {
  const { run, message, questions } = status;
  const { screen } = context;
  const paint = painter(screen.colour);
  const time = formatDuration((run.endedAt ?? now) - run.startedAt);
  if (outcome === 'SUCCESS') {
    return [
      `${paint('good', '✔')} run ${run.id} succeeded in ${time}`,
      `  → read more: tutti report ${run.id}`,
    ];
  }
  if (outcome === 'HUMAN_INPUT' && questions.length > 0) {
    const columns = screen.isTerminal ? screen.columns() : unlimited;
    const asked = questions.flatMap((open) => questionLines(open, { now, columns, paint, withRun: false }));
    return [`${paint('waiting', '◐')} run ${run.id} waits for a person`, ...asked];
  }
  const hint = endedHint(status, outcome);
  const hinted = hint === null ? [] : [`  → ${hint}`];
  if (outcome === 'HALTED' || (outcome === 'INTERRUPTED' && run.cancelled)) {
    const how = outcome === 'HALTED' ? 'is halted' : 'was stopped';
    return [`${paint('waiting', '◐')} run ${run.id} ${how} after ${time}`, ...hinted];
  }
  const why = message === null ? '' : `: ${oneLine(message, longestMessage)}`;
  return [
    `${paint('bad', '✕')} run ${run.id} ended with ${outcome} after ${time}${why}`,
    `  → look at it: tutti report ${run.id}`,
    ...hinted,
  ];
}
