import type { Outcome } from '../../model/outcome.ts';
import { continueHint } from '../../app/recovery/lost-plan.ts';
import { refusal, type Refusal } from '../../app/refusal.ts';
import { stopUnopened } from '../../app/runs/stop-unopened.ts';
import { recordWishes, runsLeftBehind, stopRun, type Stopped } from '../../app/runs/stop-run.ts';
import { firstFew } from '../../lib/first-few.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Tutti } from '../../app/tutti.ts';
import type { JsonFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { withProject } from '../project.ts';
import { stopFirst } from '../stop-first.ts';
import { unrecordedLines } from '../render/unrecorded-lines.ts';

export interface StopFlags extends JsonFlag {
  readonly all: boolean;
}

export async function stop(flags: StopFlags, context: Context, runId?: string): Promise<Outcome> {
  const { json, all } = flags;
  if (all && runId !== undefined) {
    const message = 'either a run or --all, not both';
    return fail(context, refusal('USAGE', message, 'see which runs there are: tutti runs'), json);
  }
  const which = runId === undefined ? (all ? 'all' : 'only') : { runId };
  const unopened = (why: Refusal) =>
    stopFirst(context, why, (place, by) => stopUnopened(place, which, { why: 'a person stopped it', by }));
  return withProject(context, { ...flags, despiteConfig: true, unopened }, async (tutti) => {
    await recordWishes(tutti);
    const chosen = chooseRuns(tutti, runId, all);
    if (!chosen.ok) return fail(context, chosen.error, json);
    const stopped: Stopped[] = [];
    for (const id of chosen.value) {
      const one = await stopRun(tutti, id);
      if (!one.ok) return fail(context, namingAccepted(one.error, tutti, id), json);
      stopped.push(one.value);
    }
    if (json)
      printJson(context, {
        stopped: stopped.map(({ runId: id, processes, left, endedWith, unrecorded }) => ({
          run_id: id,
          processes,
          left,
          already_ended: endedWith,
          unrecorded,
        })),
      });
    else
      printLines(
        context,
        stopped.length === 0 ? noneLines(tutti) : stopped.flatMap((one) => linesOf(tutti, one)),
      );
    const left = stopped.flatMap((one) => one.left);
    if (left.length === 0) return 'SUCCESS';
    const message = `${left.length} processes could not be ended: ${left.join(', ')}`;
    return fail(context, refusal('FAILURE', message, `look at them: ps -fp ${left.join(',')}`), json);
  });
}

/** Nothing is claimed of processes that runs left behind which have ended: only their name or --all ends them. */
function noneLines(tutti: Tutti): string[] {
  const left = runsLeftBehind(tutti);
  const [first] = left;
  if (first === undefined) return ['no run is under way'];
  return [
    `no run is under way, but processes that ended runs left behind are alive: ${firstFew(left, 10)}`,
    `  → end them: tutti stop ${left.length === 1 ? first : '--all'}`,
  ];
}

/**
 * The run that was named; every unfinished one, and those that left processes behind; or the only one that is under way:
 * halted ones have nothing to stop.
 */
function chooseRuns(
  tutti: Tutti,
  runId: string | undefined,
  all: boolean,
): Result<readonly string[], Refusal> {
  if (runId !== undefined) return ok([runId]);
  const open = tutti.queries
    .runs(null)
    .filter(({ state, parent }) => state.at !== 'ended' && parent === null);
  if (all) return ok([...open.map(({ id }) => id), ...runsLeftBehind(tutti)]);
  const ids = open.filter(({ state }) => state.at !== 'halted').map(({ id }) => id);
  if (ids.length < 2) return ok(ids);
  const message = `${ids.length} runs are under way: ${ids.slice(0, 10).join(', ')}`;
  return err(
    refusal('USAGE', message, `name one: tutti stop ${ids[0] ?? ''}, or stop all of them: tutti stop --all`),
  );
}

/** A word in place of a run's id: names what `stop` accepts. */
function namingAccepted(error: Refusal, tutti: Tutti, id: string): Refusal {
  if (tutti.queries.run(id) !== null) return error;
  const hint =
    id === 'all'
      ? 'to stop every unfinished run: tutti stop --all'
      : "give a run's id, or --all; see the ids: tutti runs";
  return { ...error, hint };
}

function linesOf(tutti: Tutti, { runId, processes, endedWith, again, unrecorded }: Stopped): string[] {
  const next = continueHint(tutti, runId);
  const ended = ['nothing of it is alive', '1 process ended'][processes] ?? `${processes} processes ended`;
  if (endedWith === 'SUCCESS') {
    return [`run ${runId} had already succeeded: ${ended}`, `  → read more: tutti report ${runId}`];
  }
  if (endedWith !== null) {
    const how = again ? 'was already stopped' : `had already ended with ${endedWith}`;
    return [`run ${runId} ${how}: ${ended}`, `  → ${next}`];
  }
  return [`run ${runId} is stopped: ${ended}`, ...unrecordedLines(unrecorded), `  → ${next}`];
}
