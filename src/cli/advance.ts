import { formatDuration } from '../lib/duration.ts';
import { ok, type Result } from '../lib/result.ts';
import { oneLine } from '../lib/terminal-text.ts';
import type { Holder } from '../model/holder.ts';
import type { Outcome } from '../model/outcome.ts';
import { firstHint } from '../app/recovery/lost-plan.ts';
import type { Refusal } from '../app/refusal.ts';
import { advanceOrAwait } from '../app/runs/advance-run.ts';
import { commandOn } from '../app/runs/run-holder.ts';
import { leaveToConductor } from '../app/runs/ensure-conductor.ts';
import { SessionDoings } from '../app/sessions/session-doing.ts';
import { runStatus, statusJson, type RunStatus } from '../app/status/run-status.ts';
import type { Tutti } from '../app/tutti.ts';
import { outlinesByName } from '../model/outline.ts';
import { alsoContinues } from './also-continues.ts';
import { askOpen, canAsk } from './ask-person.ts';
import type { Context } from './context.ts';
import { fail } from './fail.ts';
import { printJson, printLines } from './print.ts';
import { incidentLine } from './render/event-line.ts';
import { questionLines } from './render/question-lines.ts';
import { endedHint, logHint } from './render/run-hint.ts';
import { jsonView, liveView, plainView, type RunView, type ShownRun } from './render/live-output.ts';
import { painter } from './render/style.ts';
import { watchRetries } from './watch-logs.ts';
import { type WatchedRun, watchRun } from './watch-run.ts';
import { glyphs } from '../lib/glyphs.ts';

export interface AdvanceFlags {
  readonly detach: boolean;
  readonly json: boolean;
}

export interface AdvanceParams extends AdvanceFlags {
  readonly runId: string;
  /** Place in the feed after which it is news. */
  readonly after: number;
}

/** Without a terminal nothing has to be cut. */
const unlimited = 2000;
/** A failure names what to do at its end, so it is not cut. */
const longestMessage = 4000;

/** Advances a run here, shows it, and asks the person at the terminal what it asks; or leaves it to the conductor. */
export async function advance(context: Context, tutti: Tutti, params: AdvanceParams): Promise<Outcome> {
  const { runId, json, detach } = params;
  if (detach) {
    const refused = await leaveToConductor(tutti, runId);
    return refused === null ? sayDetached(context, tutti, params, 'SUCCESS') : fail(context, refused, json);
  }
  const asks = canAsk(context, json);
  for (let { after } = params; ; after = await tutti.queries.lastSeq(runId)) {
    const outcome = await advanceHere(context, tutti, { ...params, after, asks });
    const asked = asks && outcome === 'HUMAN_INPUT' ? await askOpen(context, tutti, runId) : ok(null);
    if (!asked.ok) return fail(context, asked.error, json);
    if (asked.value !== 'decided') return outcome;
  }
}

async function advanceHere(
  context: Context,
  tutti: Tutti,
  params: AdvanceParams & { readonly asks: boolean },
): Promise<Outcome> {
  const { runId, json, asks } = params;
  const { screen } = context;
  const status = async (): Promise<RunStatus | null> => {
    const now = await runStatus(tutti, outlinesByName, runId);
    // When nothing else is left to do, they are asked in the next lines.
    return now === null || !asks || now.state !== 'waiting' ? now : { ...now, questions: [] };
  };
  const stay = screen.isTerminal && !json && !asks;
  const { end, abbreviated } = await advanceShown(context, tutti, { ...params, stay }, () => {
    const view = viewOf(context, tutti, json, status);
    // A terminal shows the last action of each session, and a program reads logs by itself.
    const logs =
      screen.isTerminal || json
        ? null
        : watchRetries(tutti, (incident) => {
            const { tone, glyph, text } = incidentLine(incident);
            view.say(`${painter(screen.colour)(tone, glyph)} ${text}`);
          });
    return { view, logs, asks };
  });
  if (end === null) return sayDetached(context, tutti, params, 'INTERRUPTED');
  if (!end.ok) return fail(context, end.error, json);
  const current = await status();
  const message = current?.message ?? null;
  const last = current === null || message === null ? current : { ...current, message: abbreviated(message) };
  if (current !== null && json) printJson(context, statusJson(current));
  else if (last !== null && !(asks && end.value === 'HUMAN_INPUT' && last.questions.length === 0))
    printLines(context, await closingLines(context, tutti, last, end.value));
  return end.value;
}

/** How a command left a run that it advanced. */
interface AdvancedRun {
  /** Null: the person left it to the conductor. */
  readonly end: Result<Outcome, Refusal> | null;
  readonly abbreviated: RunView['abbreviated'];
}

/** Advances a run here, or waits while the conductor does, and shows it by `show`. */
export async function advanceShown(
  context: Context,
  tutti: Tutti,
  { runId, after, stay }: Pick<AdvanceParams, 'runId' | 'after'> & { readonly stay: boolean },
  show: () => Pick<WatchedRun, 'view' | 'logs' | 'asks'>,
): Promise<AdvancedRun> {
  const holder = await commandOn(tutti, runId);
  // A person continues it, whatever its holder could not write before.
  if (holder === null) tutti.wishes.release(runId);
  const detached = new AbortController();
  const work = () => advanceOrAwait(tutti, { runId, stay }, detached.signal);
  // What another command advances is refused, and its progress is not shown here.
  if (holder !== null) return { end: await work(), abbreviated: (message) => message };
  const shown = show();
  await using view = shown.view;
  using _logs = shown.logs;
  const leave = (): void => {
    detached.abort();
  };
  const end = await watchRun(context, tutti, { runId, after, ...shown, leave }, work);
  return { end, abbreviated: (message) => view.abbreviated(message) };
}

function viewOf(
  context: Context,
  tutti: Tutti,
  json: boolean,
  status: () => Promise<RunStatus | null>,
): RunView {
  if (json) return jsonView(context);
  if (!context.screen.isTerminal) return plainView(context);
  const doings = new SessionDoings(tutti);
  const shownRun = async (): Promise<ShownRun | null> => {
    const found = await status();
    return found === null ? null : { status: found, doing: await doings.ofSteps(found.steps) };
  };
  return liveView(context, shownRun, () => tutti.clock.wall());
}

/** A command that was told to detach has done so; one whose person leaves cannot say how the run ends. */
function sayDetached(
  context: Context,
  tutti: Tutti,
  { runId, json }: AdvanceParams,
  outcome: 'SUCCESS' | 'INTERRUPTED',
): Outcome {
  const next = `tutti events ${runId} --follow`;
  if (json) printJson(context, { run_id: runId, detached: true, ...alsoContinues(tutti) });
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
  const hint = usual === null ? null : ((await firstHint(tutti, run.id)) ?? usual);
  const hinted = hint === null ? [] : [`  → ${hint}`];
  const log = logHint(status.steps);
  if (outcome === 'HALTED' || (outcome === 'INTERRUPTED' && run.cancelled)) {
    const how = outcome === 'HALTED' ? 'is halted' : 'was stopped';
    return [`${paint('waiting', glyphs.waiting)} run ${run.id} ${how} after ${time}`, ...hinted];
  }
  const why = message === null ? '' : `: ${oneLine(message, longestMessage)}`;
  return [
    `${paint('bad', glyphs.bad)} run ${run.id} ended with ${outcome} after ${time}${why}`,
    `  → look at it: tutti report ${run.id}`,
    ...(log === null ? [] : [`  → ${log}`]),
    ...hinted,
  ];
}
