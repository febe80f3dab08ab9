import { oneLine } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Run } from '../../model/run.ts';
import { isOver } from '../../model/run.ts';
import { faultOfLostPlan } from '../../app/recovery/lost-plan.ts';
import type { KeptWish } from '../../app/runs/kept-wishes.ts';
import { instant, runStatus, statusJson, type RunStatus } from '../../app/status/run-status.ts';
import { SessionDoings } from '../../app/sessions/session-doing.ts';
import type { Tutti } from '../../app/tutti.ts';
import { workflows } from '../../app/workflows.ts';
import type { JsonFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { printJson, printLines } from '../print.ts';
import { withRun } from '../project.ts';
import { headOf } from '../render/frame.ts';
import { questionLines } from '../render/question-lines.ts';
import { runHint } from '../render/run-hint.ts';
import { nameWidthOf, stepLine } from '../render/step-line.ts';
import { painter } from '../render/style.ts';

export function status(flags: JsonFlag, context: Context, runId?: string): Promise<Outcome> {
  const show = (tutti: Tutti, run: Run): Outcome => {
    const found = runStatus(tutti, workflows, run.id);
    if (found === null) return 'SUCCESS';
    const kept = isOver(run.state) ? null : tutti.wishes.find(run.id);
    if (flags.json) printJson(context, { ...statusJson(found), unrecorded: unrecordedJson(kept) });
    else printLines(context, [...linesOf(context, found, tutti), ...keptLines(kept)]);
    return 'SUCCESS';
  };
  return withRun(context, flags, runId, show, { run_id: null });
}

/** What is true about the run and not in the database. */
function unrecordedJson(kept: KeptWish | null): object | null {
  return kept === null ? null : { what: kept.mark, why: kept.why, since: instant(kept.since) };
}

function keptLines(kept: KeptWish | null): string[] {
  if (kept === null) return [];
  const { runId, mark, why } = kept;
  if (mark === 'hold')
    return [`  it could not write: ${oneLine(why, 500)}`, `  → when that is over: tutti resume ${runId}`];
  const how = mark === 'stop' ? 'stopped' : 'halted';
  return [`  it is ${how}, which is not recorded yet; the next command that changes something records it`];
}

function linesOf({ screen }: Context, found: RunStatus, tutti: Tutti): string[] {
  const now = tutti.clock.wall();
  const paint = painter(screen.colour);
  const columns = screen.isTerminal ? screen.columns() : 1000;
  const doing = new SessionDoings(tutti).describe;
  // Nothing of a run that stands still grows older.
  const line = {
    now: found.run.endedAt ?? now,
    columns,
    paint,
    doing,
    nameWidth: nameWidthOf(found.steps, columns),
  };
  const { drivenBy, message, state, steps, questions, run } = found;
  const usual = runHint(found);
  const hint = usual === null ? null : (faultOfLostPlan(tutti, run.id)?.hint ?? usual);
  const next = hint === null ? [] : [`  → ${hint}`];
  const isLeft = drivenBy === null && ['undriven', 'paused', 'halting'].includes(state);
  return [
    paint('strong', headOf(found, now)),
    ...(message === null ? [] : [`  ${oneLine(message, 1000)}`]),
    ...(drivenBy === null ? [] : [`  advanced by process ${drivenBy}`]),
    ...(run.cancelled && state !== 'ended' ? ['  it is being stopped'] : []),
    ...(isLeft ? ['  no process advances it', ...next] : []),
    ...steps.map((step) => stepLine(step, line)),
    ...questions.flatMap((open) => questionLines(open, { now, columns, paint, withRun: false })),
    ...(isLeft ? [] : next),
  ];
}
