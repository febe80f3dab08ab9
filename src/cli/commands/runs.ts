import { newestRuns } from '../../app/runs/newest.ts';
import { advancingHolder, isStopKept } from '../../app/status/living-holder.ts';
import { findOpenQuestions } from '../../app/status/open-questions.ts';
import {
  instant,
  isHalting,
  type RunPlaces,
  runTookMs,
  summaryOf,
  wordOfRun,
} from '../../app/status/run-status.ts';
import { formatDuration } from '../../lib/duration.ts';
import { exitCodeOf, type Outcome } from '../../model/outcome.ts';
import { outcomeOfRun, type Run, type RunSummary } from '../../model/run.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag, switchFlag } from '../define-command.ts';
import { wholeNumber } from '../parsers.ts';
import { printJson, printLines } from '../print.ts';
import { readProject, sayNoRuns, unknownRunsOf } from '../read-project.ts';
import { outcomeMark } from '../render/marks.ts';
import { painter } from '../render/style.ts';
import { unknownRunLines } from '../render/unknown-run-lines.ts';
import { fit, pad } from '../render/width.ts';

interface RunsFlags extends JsonFlag {
  readonly limit: number;
  readonly all: boolean;
  readonly sessions: boolean;
}

export const command = defineCommand<RunsFlags, []>({
  reads: true,
  parameters: {
    flags: {
      limit: {
        kind: 'parsed',
        parse: wholeNumber(1, 1_000_000),
        brief: 'Number of runs, newest first',
        placeholder: 'N',
        default: '20',
      },
      all: switchFlag('List all runs'),
      sessions: switchFlag('Include runs that consist of one session'),
      json: jsonFlag,
    },
  },
  about: 'Lists runs, newest first, with their outcomes.',
  examples: [
    ['tutti runs', 'list the 20 newest runs'],
    ['tutti runs --all --json', 'print all runs, one JSON object per line'],
  ],
  run: runs,
});

function runs(flags: RunsFlags, context: Context): Promise<Outcome> {
  const none = (): Promise<Outcome> => sayNoRuns(context, flags.json);
  return readProject(context, flags, none, async (tutti) => {
    const found = await newestRuns(tutti, {
      limit: flags.all ? null : flags.limit,
      sessions: flags.sessions,
    });
    if (flags.json) for (const run of found) printJson(context, await runJson(tutti, run));
    else if (found.length === 0) return sayNoRuns(context, flags.json, null, tutti);
    else
      printLines(context, [
        ...(await runTable(context, tutti, found)),
        ...unknownRunLines(await unknownRunsOf(context, tutti)),
      ]);
    return 'SUCCESS';
  });
}

/** What a run waits for follows from its entries; only those that are not over have to be asked. */
async function stateOf(tutti: RunPlaces, run: Run): Promise<RunSummary> {
  return run.state.at === 'running'
    ? summaryOf(run, {
        entries: await tutti.queries.entries(run.id),
        questions: await findOpenQuestions(tutti, run.id),
        holder: await advancingHolder(tutti, run),
        stopKept: await isStopKept(tutti, run),
        halts: await isHalting(tutti, run),
      })
    : run.state.at;
}

/** A line of `tutti runs --json`. */
export async function runJson(tutti: RunPlaces, run: Run): Promise<object> {
  const outcome = outcomeOfRun(run.state);
  return {
    run_id: run.id,
    workflow: run.workflow,
    state: wordOfRun(await stateOf(tutti, run), await isStopKept(tutti, run)),
    outcome,
    exit_code: outcome === null ? null : exitCodeOf(outcome),
    started_at: instant(run.startedAt),
    ended_at: instant(run.endedAt),
  };
}

/** Columns that everything but the id takes. */
const restWidth = 46;

export async function runTable(
  { screen }: Pick<Context, 'screen'>,
  tutti: RunPlaces,
  found: readonly Run[],
): Promise<string[]> {
  const paint = painter(screen.colour);
  const columns = screen.isTerminal ? screen.columns() : Number.POSITIVE_INFINITY;
  // A long id leaves room for what the table is read for.
  const width = Math.min(Math.max(3, ...found.map(({ id }) => id.length)), Math.max(8, columns - restWidth));
  const now = tutti.clock.wall();
  const lines = await Promise.all(
    found.map(async (run) => {
      const outcome = outcomeOfRun(run.state);
      const state = wordOfRun(await stateOf(tutti, run), await isStopKept(tutti, run));
      const [glyph, tone] = outcomeMark(outcome, state);
      const time = formatDuration(await runTookMs(tutti, run));
      const ago = `${formatDuration(now - run.startedAt)} ago`;
      const text = [pad(fit(run.id, width), width), (outcome ?? state).padEnd(16), time.padEnd(8), ago].join(
        '  ',
      );
      return `${paint(tone, glyph)} ${fit(text, columns - 2)}`;
    }),
  );
  return [
    paint('quiet', `  ${'RUN'.padEnd(width)}  ${'STATE'.padEnd(16)}  ${'TOOK'.padEnd(8)}  STARTED`),
    ...lines,
  ];
}
