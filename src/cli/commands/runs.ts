import { formatDuration } from '../../lib/duration.ts';
import { exitCodeOf, type Outcome } from '../../model/outcome.ts';
import { outcomeOfRun, type Run, type RunSummary } from '../../model/run.ts';
import { newestRuns } from '../../app/runs/newest.ts';
import { advancingHolder, isStopKept } from '../../app/status/living-holder.ts';
import { findOpenQuestions } from '../../app/status/open-questions.ts';
import { instant, type RunPlaces, summaryOf, wordOfRun } from '../../app/status/run-status.ts';
import type { JsonFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { printJson, printLines } from '../print.ts';
import { sayNoRuns, withProjectIfMade } from '../project.ts';
import { painter, type Tone } from '../render/style.ts';
import { fit } from '../render/width.ts';

export interface RunsFlags extends JsonFlag {
  readonly limit: number;
  readonly all: boolean;
  readonly sessions: boolean;
}

export function runs(flags: RunsFlags, context: Context): Promise<Outcome> {
  const none = (): Outcome => sayNoRuns(context, flags.json);
  return withProjectIfMade(context, flags, none, (tutti) => {
    const found = newestRuns(tutti, { limit: flags.all ? null : flags.limit, sessions: flags.sessions });
    if (flags.json) for (const run of found) printJson(context, runJson(tutti, run));
    else if (found.length === 0) return none();
    else printLines(context, runTable(context, tutti, found));
    return 'SUCCESS';
  });
}

/** What a run waits for follows from its entries; only those that are not over have to be asked. */
function stateOf(tutti: RunPlaces, run: Run): RunSummary {
  return run.state.at === 'running'
    ? summaryOf(run, {
        entries: tutti.queries.entries(run.id),
        questions: findOpenQuestions(tutti, run.id),
        holder: advancingHolder(tutti, run),
        stopKept: isStopKept(tutti, run),
      })
    : run.state.at;
}

/** A line of `tutti runs --json`. */
export function runJson(tutti: RunPlaces, run: Run): object {
  const outcome = outcomeOfRun(run.state);
  return {
    run_id: run.id,
    workflow: run.workflow,
    state: stateOf(tutti, run),
    outcome,
    exit_code: outcome === null ? null : exitCodeOf(outcome),
    started_at: instant(run.startedAt),
    ended_at: instant(run.endedAt),
  };
}

export function runTable(
  { screen }: Pick<Context, 'screen'>,
  tutti: RunPlaces,
  found: readonly Run[],
): string[] {
  const paint = painter(screen.colour);
  const columns = screen.isTerminal ? screen.columns() : Number.POSITIVE_INFINITY;
  const width = Math.max(3, ...found.map(({ id }) => id.length));
  const now = tutti.clock.wall();
  const lines = found.map((run) => {
    const outcome = outcomeOfRun(run.state);
    const state = wordOfRun(stateOf(tutti, run), isStopKept(tutti, run));
    const [glyph, tone] = markOf(outcome, state);
    const time = formatDuration((run.endedAt ?? now) - run.startedAt);
    const ago = `${formatDuration(now - run.startedAt)} ago`;
    const text = [run.id.padEnd(width), (outcome ?? state).padEnd(16), time.padEnd(8), ago].join('  ');
    return `${paint(tone, glyph)} ${fit(text, columns - 2)}`;
  });
  return [
    paint('quiet', `  ${'RUN'.padEnd(width)}  ${'STATE'.padEnd(16)}  ${'TOOK'.padEnd(8)}  STARTED`),
    ...lines,
  ];
}

export function markOf(outcome: Outcome | null, state: string): readonly [glyph: string, tone: Tone] {
  if (outcome === 'SUCCESS') return ['✔', 'good'];
  if (outcome === 'HALTED' || outcome === 'INTERRUPTED') return ['◐', 'waiting'];
  if (outcome !== null) return ['✕', 'bad'];
  return state === 'running' ? ['●', 'busy'] : ['◐', 'waiting'];
}
