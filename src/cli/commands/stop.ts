import type { Outcome } from '../../model/outcome.ts';
import { refusal, type Refusal } from '../../app/refusal.ts';
import { stopRun, type Stopped } from '../../app/runs/control.ts';
import type { Tutti } from '../../app/tutti.ts';
import type { JsonFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { withProject } from '../project.ts';

export interface StopFlags extends JsonFlag {
  readonly all: boolean;
}

export async function stop(flags: StopFlags, context: Context, runId?: string): Promise<Outcome> {
  const { json, all } = flags;
  if (all === (runId !== undefined)) {
    const message = all ? 'either a run or --all, not both' : 'RUN is missing';
    return fail(context, refusal('USAGE', message, 'see which runs there are: tutti runs'), json);
  }
  return withProject(context, { ...flags, despiteConfig: true }, async (tutti) => {
    const chosen = runId ?? null;
    const open = tutti.queries
      .runs(null)
      .filter(({ state, parent }) => state.at !== 'ended' && parent === null);
    const stopped: Stopped[] = [];
    for (const id of chosen === null ? open.map((run) => run.id) : [chosen]) {
      const one = await stopRun(tutti, id);
      if (!one.ok) return fail(context, namingAccepted(one.error, tutti, id), json);
      stopped.push(one.value);
    }
    if (json)
      printJson(context, {
        stopped: stopped.map(({ runId: id, processes, left, endedWith }) => ({
          run_id: id,
          processes,
          left,
          already_ended: endedWith,
        })),
      });
    else printLines(context, stopped.length === 0 ? ['no run is under way'] : stopped.flatMap(linesOf));
    const left = stopped.flatMap((one) => one.left);
    if (left.length === 0) return 'SUCCESS';
    const message = `${left.length} processes could not be ended: ${left.join(', ')}`;
    return fail(context, refusal('FAILURE', message, `look at them: ps -fp ${left.join(',')}`), json);
  });
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

function linesOf({ runId, processes, endedWith }: Stopped): string[] {
  const ended = processes === 0 ? 'nothing of it is alive' : `${processes} processes ended`;
  if (endedWith === 'SUCCESS') {
    return [`run ${runId} had already succeeded: ${ended}`, `  → read more: tutti report ${runId}`];
  }
  if (endedWith !== null) {
    const how = endedWith === 'INTERRUPTED' ? 'was already stopped' : `had already ended with ${endedWith}`;
    return [`run ${runId} ${how}: ${ended}`, `  → continue: tutti resume ${runId}`];
  }
  return [`run ${runId} is stopped: ${ended}`, `  → continue: tutti resume ${runId}`];
}
