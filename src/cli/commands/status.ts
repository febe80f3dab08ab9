import { firstHint } from '../../app/recovery/lost-plan.ts';
import { isRecovered, type KeptWish } from '../../app/runs/kept-wishes.ts';
import { describePutAside } from '../../app/host/shown-put-aside.ts';
import { findUnrecordedEnds, unrecordedEndJson } from '../../app/runs/unrecorded-ends.ts';
import { describeSilence } from '../../model/silent-holder.ts';
import { instant, runStatus, type RunStatus, statusJson } from '../../app/status/run-status.ts';
import type { OpenedProject } from '../../app/opened-project.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import { outlinesByName } from '../../model/outline.ts';
import { isOver, type Run } from '../../model/run.ts';
import { runArgument } from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../define-command.ts';
import { printJson, printLines } from '../print.ts';
import { isAboutSpace, unrecordedRemedy } from '../render/unrecorded-lines.ts';
import { readRun, unknownRunsOf } from '../read-project.ts';
import { headOf } from '../render/frame.ts';
import { questionLines } from '../render/question-lines.ts';
import { logHint, runHint } from '../render/run-hint.ts';
import { nameWidthOf, stepLine } from '../render/step-line.ts';
import { painter } from '../render/style.ts';
import { distrustLines } from '../render/trust-lines.ts';
import { unknownRunLines } from '../render/unknown-run-lines.ts';

export const command = defineCommand<JsonFlag, [run?: string]>({
  reads: true,
  parameters: { flags: { json: jsonFlag }, positional: { kind: 'tuple', parameters: [runArgument] } },
  about: 'With --json, prints the object that `tutti help cli` describes.',
  examples: [
    ['tutti status', 'show the newest run'],
    ['tutti status nightly --json', 'print one run as JSON'],
  ],
  run: status,
});

function status(flags: JsonFlag, context: Context, runId?: string): Promise<Outcome> {
  const show = async (tutti: OpenedProject, run: Run): Promise<Outcome> => {
    const found = await runStatus(tutti, outlinesByName, run.id);
    if (found === null) return 'SUCCESS';
    const kept = isOver(run.state) ? null : tutti.wishes.find(run.id);
    const unknown = runId === undefined ? await unknownRunsOf(context, tutti) : [];
    if (flags.json) {
      const lost = unknown.length === 0 ? {} : { unknown_runs: unknown };
      const ends = kept === null ? [] : (await findUnrecordedEnds(tutti, [run.id])).map(unrecordedEndJson);
      printJson(context, { ...statusJson(found), unrecorded: unrecordedJson(kept, ends), ...lost });
    } else {
      tutti.toldRuns.add(run.id);
      printLines(context, [
        ...(await linesOf(context, found, tutti, kept)),
        ...keptLines(kept, found.drivenBy !== null),
        ...unknownRunLines(unknown),
      ]);
    }
    return 'SUCCESS';
  };
  return readRun(context, flags, runId, show, { run_id: null });
}

/** What is true about the run and not in the database. */
function unrecordedJson(kept: KeptWish | null, ends: readonly object[]): object | null {
  return kept === null ? null : { what: kept.mark, why: kept.why, since: instant(kept.since), ends };
}

/** `isHeld`: the process that could not write lives, and tries again. */
function keptLines(kept: KeptWish | null, isHeld: boolean): string[] {
  if (kept === null || isRecovered(kept)) return [];
  const { runId, mark, why } = kept;
  if (mark === 'hold') {
    const resume = `tutti resume ${runId}`;
    const next = isHeld
      ? `it continues by itself; if its process has ended: ${resume}`
      : `continue: ${resume}`;
    const hint = isAboutSpace(why) ? `${unrecordedRemedy(why)}${next}` : `when that is over: ${resume}`;
    return [`  it could not write: ${oneLine(why, 500)}`, `  → ${hint}`];
  }
  const how = mark === 'stop' ? 'stopped' : 'halted';
  return [
    `  ${how}, but the ${mark} is not recorded yet; the next command that changes something records it`,
  ];
}

async function linesOf(
  context: Context,
  found: RunStatus,
  tutti: OpenedProject,
  kept: KeptWish | null,
): Promise<string[]> {
  const { screen } = context;
  const now = tutti.clock.wall();
  const paint = painter(screen.colour);
  const columns = screen.isTerminal ? screen.columns() : 1000;
  // Nothing of a run that stands still grows older.
  const line = {
    now: found.run.endedAt ?? now,
    columns,
    paint,
    doing: await tutti.logs.doings(found.steps),
    nameWidth: nameWidthOf(found.steps, columns),
  };
  const { drivenBy, silentHolder, message, state, steps, questions, putAside, run } = found;
  const usual = runHint(found);
  const hint = usual === null ? null : ((await firstHint(tutti, run.id)) ?? usual);
  const log = state === 'ended' ? logHint(steps) : null;
  const isLeft = drivenBy === null && ['undriven', 'paused', 'halting'].includes(state);
  const distrust =
    isLeft && hint !== null
      ? (await import('../../app/consent/needed-trust.ts')).conductorDistrust(context)
      : null;
  // What a process could not write comes with a hint of its own.
  const isHold = kept?.mark === 'hold' && !isRecovered(kept);
  const next = hint === null || isHold ? [] : [`  → ${hint}`];
  return [
    paint('strong', headOf(found)),
    ...(message === null ? [] : [`  ${oneLine(message, 1000)}`]),
    ...(drivenBy === null ? [] : [`  advanced by process ${drivenBy}`]),
    ...(run.cancelled && state !== 'ended' ? ['  it is being stopped'] : []),
    ...(silentHolder === null
      ? []
      : [`  process ${silentHolder.pid}, which holds it, ${describeSilence(silentHolder)}`]),
    ...(isLeft && silentHolder === null ? ['  no process advances it'] : []),
    ...distrustLines(distrust),
    ...(isLeft ? next : []),
    ...steps.map((step) => stepLine(step, line)),
    ...questions.flatMap((open) => questionLines(open, { now, columns, paint, withRun: false })),
    ...putAside.map(
      ({ session, moves }) =>
        `  session ${session} made what can start programs outside its sandbox: ${describePutAside(moves)}`,
    ),
    ...(log === null ? [] : [`  → ${log}`]),
    ...(isLeft ? [] : next),
  ];
}
