import { formatDuration } from '../lib/duration.ts';
import { keepLooking } from '../lib/keep-looking.ts';
import { oneLine } from '../lib/terminal-text.ts';
import type { Holder } from '../model/holder.ts';
import type { Outcome } from '../model/outcome.ts';
import type { OpenQuestion } from '../model/question.ts';
import { planFirstHint } from '../app/recovery/lost-plan.ts';
import { advanceOrAwait } from '../app/runs/advance-run.ts';
import { commandOn } from '../app/runs/run-holder.ts';
import { ensureConductor } from '../app/runs/ensure-conductor.ts';
import { waitUntil } from '../app/sessions/wait-until.ts';
import { SessionDoings } from '../app/sessions/session-doing.ts';
import { type ToldEvent, withIncidents } from '../app/status/incidents.ts';
import {
  describeSilence,
  findSilentHolder,
  silenceHint,
  type SilentHolder,
} from '../app/status/living-holder.ts';
import { runStatus, statusJson, type RunStatus } from '../app/status/run-status.ts';
import type { Tutti } from '../app/tutti.ts';
import { outlinesByName } from '../model/outline.ts';
import { isOver } from '../model/run.ts';
import type { Context } from './context.ts';
import { fail } from './fail.ts';
import { heedInterrupts } from './interrupts.ts';
import { printJson, printLines } from './print.ts';
import { incidentLine } from './render/event-line.ts';
import { questionLines } from './render/question-lines.ts';
import { endedHint } from './render/run-hint.ts';
import { jsonView, liveView, plainView, type RunView, type ShownRun } from './render/run-view.ts';
import { painter } from './render/style.ts';
import { watchRetries } from './watch-retries.ts';
import { glyphs } from '../lib/glyphs.ts';

export interface AdvanceFlags {
  readonly detach: boolean;
  readonly json: boolean;
}

export interface AdvanceParams extends AdvanceFlags {
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

/** Advances a run here and shows it, or leaves it to the conductor. */
export async function advance(context: Context, tutti: Tutti, params: AdvanceParams): Promise<Outcome> {
  // A person continues it, whatever its holder could not write before.
  if ((await commandOn(tutti, params.runId)) === null) tutti.wishes.release(params.runId);
  return params.detach ? detach(context, tutti, params) : advanceHere(context, tutti, params);
}

async function advanceHere(context: Context, tutti: Tutti, params: AdvanceParams): Promise<Outcome> {
  const { runId, json, asksItself } = params;
  const status = async (): Promise<RunStatus | null> => {
    const now = await runStatus(tutti, outlinesByName, runId);
    if (now === null || asksItself === undefined) return now;
    return { ...now, questions: now.questions.filter((open) => !asksItself(open)) };
  };
  const watches = context.screen.isTerminal && !json;
  const detached = new AbortController();
  const work = () => advanceOrAwait(tutti, { runId, stay: params.stay ?? watches }, detached.signal);
  // What another command advances is refused, and its progress is not shown here.
  const refused = (await commandOn(tutti, runId)) !== null;
  const { end, untold } = refused
    ? { end: await work(), untold: (message: string) => message }
    : await shown(context, tutti, params, status, work, () => {
        detached.abort();
      });
  if (end === null) return sayDetached(context, params, 'INTERRUPTED');
  if (!end.ok) return fail(context, end.error, json);
  const current = await status();
  const message = current?.message ?? null;
  const last = current === null || message === null ? current : { ...current, message: untold(message) };
  if (current !== null && json) printJson(context, statusJson(current));
  else if (last !== null && !isAskedByCaller(params, end.value, last))
    printLines(context, await closingLines(context, tutti, last, end.value));
  return end.value;
}

function isAskedByCaller({ asksItself }: AdvanceParams, outcome: Outcome, { questions }: RunStatus): boolean {
  return asksItself !== undefined && outcome === 'HUMAN_INPUT' && questions.length === 0;
}

async function shown<T>(
  context: Context,
  tutti: Tutti,
  { runId, json, after }: AdvanceParams,
  status: () => Promise<RunStatus | null>,
  work: () => Promise<T>,
  leave: () => void,
): Promise<{ readonly end: T; readonly untold: RunView['untold'] }> {
  const now = (): number => tutti.clock.wall();
  const doings = new SessionDoings(tutti);
  const shownRun = async (): Promise<ShownRun | null> => {
    const found = await status();
    return found === null ? null : { status: found, doing: await doings.ofSteps(found.steps) };
  };
  await using view = json
    ? jsonView(context)
    : context.screen.isTerminal
      ? liveView(context, shownRun, now)
      : plainView(context);
  // A terminal shows the last action of each session, and a program reads logs by itself.
  using retries =
    context.screen.isTerminal || json
      ? null
      : watchRetries(tutti, (incident) => {
          const { tone, glyph, text } = incidentLine(incident);
          view.say(`${painter(context.screen.colour)(tone, glyph)} ${text}`);
        });
  let troubled: string | null = null;
  const silence = silenceTeller(tutti, runId, (line) => {
    view.say(line);
  });
  const look = looker(tutti, runId, after, async (news) => {
    const trouble = tutti.wishes.trouble(runId);
    if (trouble !== null && troubled === null)
      view.say(
        `run ${runId} cannot write: ${oneLine(trouble, 500)}; agents at work continue, nothing new starts`,
      );
    if (trouble === null && troubled !== null) view.say(`run ${runId} can write again`);
    troubled = trouble;
    await silence();
    view.events(news);
    retries?.see(news.map(({ feed }) => feed));
    await view.tick();
  });
  const looking = keepLooking(tutti.clock, lookEveryMs, look);
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
    await looking[Symbol.asyncDispose]();
    await look();
  }
  return { end, untold: (message) => view.untold(message) };
}

/** Says when the process that holds the run does not respond, and when that is over. */
function silenceTeller(tutti: Tutti, runId: string, say: (line: string) => void): () => Promise<void> {
  let told: SilentHolder | null = null;
  return async () => {
    const run = await tutti.queries.run(runId);
    const silent = run === null || isOver(run.state) ? null : await findSilentHolder(tutti, run);
    if (silent !== null && told === null) {
      say(`process ${silent.pid}, which holds run ${runId}, ${describeSilence(silent)}`);
      const takeOver = 'wait: this command takes the run over when the lease of that process has lapsed';
      say(`  → ${silenceHint(silent, takeOver)}`);
    }
    if (silent === null && told !== null) {
      const isOurs = (await tutti.queries.holder(runId))?.id === tutti.me.id;
      say(isOurs ? `this command advances run ${runId} now` : `process ${told.pid} responds again`);
    }
    told = silent;
  };
}

function looker(
  tutti: Tutti,
  runId: string,
  after: number,
  show: (news: readonly ToldEvent[]) => Promise<void>,
): () => Promise<void> {
  let seen = after;
  return async () => {
    try {
      const news = await tutti.queries.events(runId, seen);
      seen = news.at(-1)?.seq ?? seen;
      await show(await Promise.all(news.map((event) => withIncidents(tutti.queries, event))));
    } catch {
      // A glance that failed is no news. Whether the database can be used is for the driver to say, in one sentence.
    }
  };
}

async function detach(context: Context, tutti: Tutti, params: AdvanceParams): Promise<Outcome> {
  await ensureConductor(tutti);
  // Whoever looks now should not be told that no process advances it. A conductor that does not come is told there.
  const isTaken = async (): Promise<boolean> =>
    (await runStatus(tutti, outlinesByName, params.runId))?.state !== 'undriven';
  await waitUntil(tutti.clock, conductorComesMs, isTaken);
  return sayDetached(context, params, 'SUCCESS');
}

/** A command that was told to detach has done so; one whose person leaves cannot say how the run ends. */
function sayDetached(
  context: Context,
  { runId, json }: AdvanceParams,
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
  { runId, json }: Pick<AdvanceParams, 'runId' | 'json'>,
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
async function closingLines(
  context: Context,
  tutti: Tutti,
  status: RunStatus,
  outcome: Outcome,
): Promise<string[]> {
  const now = tutti.clock.wall();
  const { run, message, questions } = status;
  const { screen } = context;
  const paint = painter(screen.colour);
  const time = formatDuration(status.tookMs);
  if (outcome === 'SUCCESS') {
    return [
      `${paint('good', glyphs.good)} run ${run.id} succeeded in ${time}`,
      `  → read more: tutti report ${run.id}`,
    ];
  }
  if (outcome === 'HUMAN_INPUT' && questions.length > 0) {
    const columns = screen.isTerminal ? screen.columns() : unlimited;
    const asked = questions.flatMap((open) => questionLines(open, { now, columns, paint, withRun: false }));
    return [`${paint('waiting', glyphs.waiting)} run ${run.id} waits for a person`, ...asked];
  }
  const usual = endedHint(status, outcome);
  const hint = usual === null ? null : ((await planFirstHint(tutti, run.id)) ?? usual);
  const hinted = hint === null ? [] : [`  → ${hint}`];
  if (outcome === 'HALTED' || (outcome === 'INTERRUPTED' && run.cancelled)) {
    const how = outcome === 'HALTED' ? 'is halted' : 'was stopped';
    return [`${paint('waiting', glyphs.waiting)} run ${run.id} ${how} after ${time}`, ...hinted];
  }
  const why = message === null ? '' : `: ${oneLine(message, longestMessage)}`;
  return [
    `${paint('bad', glyphs.bad)} run ${run.id} ended with ${outcome} after ${time}${why}`,
    `  → look at it: tutti report ${run.id}`,
    ...hinted,
  ];
}
