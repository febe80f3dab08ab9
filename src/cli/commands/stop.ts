import { identifyCaller } from '../../app/people/identify-caller.ts';
import { continueHint } from '../../app/recovery/lost-plan.ts';
import { findKeptRuns, type KeptRun } from '../../app/recovery/kept-runs.ts';
import { findUnknownRuns } from '../../app/recovery/unknown-runs.ts';
import { refusal, type Refusal } from '../../app/refusal.ts';
import { findProject, pathsOf } from '../../app/project.ts';
import { keepEnded, recordWishes, runsLeftBehind, type Stopped, stopRun } from '../../app/runs/stop-run.ts';
import {
  type StoppedUnopened,
  stopUnknownRun,
  stopUnopened,
  type UnopenedProject,
} from '../../app/runs/stop-unopened.ts';
import type { Tutti } from '../../app/tutti.ts';
import { firstFew } from '../../lib/first-few.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Outcome } from '../../model/outcome.ts';
import { runArgument } from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, type JsonFlag, switchFlag } from '../define-command.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { withProjectIfMade } from '../project.ts';
import { refuseUnknownRun } from '../read-project.ts';
import { unrecordedLines, unrecordedRemedy } from '../render/unrecorded-lines.ts';
import { stopFirst } from '../stop-first.ts';

interface StopFlags extends JsonFlag {
  readonly all: boolean;
}

export const command = defineCommand<StopFlags, [run?: string]>({
  reads: false,
  parameters: {
    flags: {
      all: switchFlag('Stop all unfinished runs and kill leftover processes'),
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        { ...runArgument, brief: 'A run; default: the only one that has neither ended nor halted' },
      ],
    },
  },
  about: 'Finished steps keep their results, and `tutti resume` continues the run.',
  examples: [
    ['tutti stop', 'stop the only active run'],
    ['tutti stop nightly', 'stop one run'],
    ['tutti stop --all', 'stop all runs of this project'],
  ],
  run: stop,
});

async function stop(flags: StopFlags, context: Context, runId?: string): Promise<Outcome> {
  const { json, all } = flags;
  if (all && runId !== undefined) {
    const message = 'either a run or --all, not both';
    return fail(context, refusal('USAGE', message, 'see which runs there are: tutti runs'), json);
  }
  const which = runId === undefined ? (all ? 'all' : 'only') : { runId };
  const unopened = async (refused: Refusal): Promise<Refusal> => {
    // Also with nothing alive it is no success: a run that only waits is not stopped by it.
    return (await stopFirst(context, refused, (place, by) => stopUnopened(place, which, { why, by })))
      .refusal;
  };
  const manner = { ...flags, despiteConfig: true, unopened };
  const none = (): Promise<Outcome> => stopWithoutState(context, flags, runId);
  return withProjectIfMade(context, manner, none, async (tutti) => {
    await recordWishes(tutti);
    const chosen = await chooseRuns(tutti, runId, all);
    if (!chosen.ok) return fail(context, chosen.error, json);
    if (runId === undefined && (all || chosen.value.length === 0)) await keepEnded(tutti);
    const stopped: Stopped[] = [];
    const unknown: StoppedUnknown[] = [];
    for (const { id, isKnown } of chosen.value) {
      if (!isKnown) {
        unknown.push(await stopUnknown(context, tutti, id));
        continue;
      }
      const one = await stopRun(tutti, id);
      if (!one.ok) return fail(context, await namingAccepted(one.error, tutti, id), json);
      stopped.push(one.value);
    }
    if (json) printJson(context, { stopped: [...stopped.map(jsonOf), ...unknown.map(unknownJson)] });
    else {
      const lines = [
        ...(await Promise.all(stopped.map((one) => linesOf(tutti, one)))).flat(),
        ...unknown.flatMap(unknownLines),
      ];
      printLines(context, lines.length === 0 ? await noneLines(tutti) : lines);
    }
    return endOf(context, json, [...stopped, ...unknown]);
  });
}

const why = 'a person stopped it';

/** A run of which the database does not tell. */
interface StoppedUnknown extends StoppedUnopened {
  readonly runId: string;
  /** As a recovery restores it, if its record was removed and copies of it are kept; null: nothing is known of it. */
  readonly kept: KeptRun | null;
}

async function stopUnknown(
  { caller }: Pick<Context, 'caller'>,
  project: UnopenedProject,
  runId: string,
  kept: KeptRun | null = null,
): Promise<StoppedUnknown> {
  const by = identifyCaller(caller).name;
  return { runId, kept, ...(await stopUnknownRun(project, runId, { why, by })) };
}

/** The folder has no state, or no longer: processes of its runs may live all the same, and copies of their record be kept. */
async function stopWithoutState(
  context: Context,
  { json, all }: StopFlags,
  runId: string | undefined,
): Promise<Outcome> {
  const project = { paths: pathsOf(findProject(context.folder)), env: context.env };
  const alive = await findUnknownRuns(project.paths, async () => false);
  const kept = new Map(findKeptRuns(project, null).map((run) => [run.id, run]));
  const underWay = [...kept.values()].filter((run) => run.isUnderWay).map(({ id }) => id);
  const open = [...new Set([...alive, ...underWay])];
  if (runId !== undefined && !alive.includes(runId) && !kept.has(runId))
    return fail(context, refuseUnknownRun(context, runId), json);
  if (runId === undefined && !all && open.length > 1) return fail(context, severalRuns(open), json);
  const stopped: StoppedUnknown[] = [];
  for (const id of runId === undefined ? open : [runId])
    stopped.push(await stopUnknown(context, project, id, kept.get(id)));
  if (json) printJson(context, { stopped: stopped.map(unknownJson) });
  else printLines(context, stopped.length === 0 ? [noneAlive] : stopped.flatMap(unknownLines));
  return endOf(context, json, stopped);
}

const noneAlive = 'no run is under way';

function endOf(context: Context, json: boolean, stopped: readonly Pick<StoppedUnopened, 'left'>[]): Outcome {
  const left = stopped.flatMap((one) => one.left);
  if (left.length === 0) return 'SUCCESS';
  const message = `${left.length} processes could not be ended: ${left.join(', ')}`;
  return fail(context, refusal('FAILURE', message, `look at them: ps -fp ${left.join(',')}`), json);
}

function jsonOf({ runId, processes, left, endedWith, unrecorded, ends }: Stopped): object {
  const more = unrecorded === null ? {} : { unrecorded_ends: ends };
  return { run_id: runId, processes, left, already_ended: endedWith, unrecorded, ...more };
}

function unknownJson({ runId, processes, left, kept }: StoppedUnknown): object {
  const unrecorded =
    kept === null ? 'nothing is recorded about it' : `its record was removed; ${recoverHint}`;
  return { run_id: runId, processes, left, already_ended: null, unrecorded };
}

function unknownLines({ runId, processes, kept }: StoppedUnknown): readonly string[] {
  if (kept === null) return [`run ${runId}, about which nothing is recorded: ${endedCount(processes)}`];
  return [
    `run ${runId}, whose record was removed, is stopped: ${endedCount(processes)}`,
    `  → ${recoverHint}`,
  ];
}

const recoverHint = 'restore its record, with this stop: tutti recover';

function endedCount(processes: number): string {
  return ['nothing of it is alive', '1 process ended'][processes] ?? `${processes} processes ended`;
}

/** Nothing is claimed of processes that runs left behind which have ended: only their name or --all ends them. */
async function noneLines(tutti: Tutti): Promise<string[]> {
  const left = await runsLeftBehind(tutti);
  const [first] = left;
  if (first === undefined) return [noneAlive];
  return [
    `no run is under way, but processes that ended runs left behind are alive: ${firstFew(left, 10)}`,
    `  → end them: tutti stop ${left.length === 1 ? first : '--all'}`,
  ];
}

interface Chosen {
  readonly id: string;
  /** Whether anything is recorded about it. */
  readonly isKnown: boolean;
}

/**
 * The run that was named; every unfinished one, and those that left processes behind; or the only one that is under way:
 * halted ones have nothing to stop. One of which only its processes tell is under way.
 */
async function chooseRuns(
  tutti: Tutti,
  runId: string | undefined,
  all: boolean,
): Promise<Result<readonly Chosen[], Refusal>> {
  const isKnown = async (id: string): Promise<boolean> => (await tutti.queries.run(id)) !== null;
  const unknown = await findUnknownRuns(tutti.paths, isKnown);
  const chosen = (ids: readonly string[]): readonly Chosen[] =>
    ids.map((id) => ({ id, isKnown: !unknown.includes(id) }));
  if (runId !== undefined) return ok(chosen([runId]));
  const open = (await tutti.queries.runs(null)).filter(
    ({ state, parent }) => state.at !== 'ended' && parent === null,
  );
  if (all) return ok(chosen([...open.map(({ id }) => id), ...(await runsLeftBehind(tutti)), ...unknown]));
  const ids = [...open.filter(({ state }) => state.at !== 'halted').map(({ id }) => id), ...unknown];
  return ids.length < 2 ? ok(chosen(ids)) : err(severalRuns(ids));
}

function severalRuns(ids: readonly string[]): Refusal {
  const message = `${ids.length} runs are under way: ${ids.slice(0, 10).join(', ')}`;
  const hint = `name one: tutti stop ${ids[0] ?? ''}, or stop all of them: tutti stop --all`;
  return refusal('USAGE', message, hint);
}

/** A word in place of a run's id: names what `stop` accepts. */
async function namingAccepted(error: Refusal, tutti: Tutti, id: string): Promise<Refusal> {
  if ((await tutti.queries.run(id)) !== null) return error;
  const hint =
    id === 'all'
      ? 'to stop every unfinished run: tutti stop --all'
      : "give a run's id, or --all; see the ids: tutti runs";
  return { ...error, hint };
}

async function linesOf(
  tutti: Tutti,
  { runId, processes, endedWith, again, unrecorded }: Stopped,
): Promise<string[]> {
  const next = await continueHint(tutti, runId);
  const ended = endedCount(processes);
  if (endedWith === 'SUCCESS') {
    return [`run ${runId} had already succeeded: ${ended}`, `  → read more: tutti report ${runId}`];
  }
  if (endedWith !== null) {
    const how = again ? 'was already stopped, and stays stopped' : `had already ended with ${endedWith}`;
    return [`run ${runId} ${how}: ${ended}`, `  → ${next}`];
  }
  return [
    `run ${runId} is stopped: ${ended}`,
    ...unrecordedLines(unrecorded),
    `  → ${unrecordedRemedy(unrecorded)}${next}`,
  ];
}
