import { type Entry, outcomeOfState } from '../../model/entry.ts';
import { familyOf } from '../../model/family.ts';
import { outlinesByName } from '../../model/outline.ts';
import { planOfRunId } from '../../model/plan/task-row.ts';
import type { Run } from '../../model/run.ts';
import { runsAgain } from '../../model/try-again.ts';
import { isAdvancing } from '../status/living-holder.ts';
import { runStatus } from '../status/run-status.ts';
import { interruptedSteps } from '../status/step-status.ts';
import type { Tutti } from '../tutti.ts';
import { recordEnds } from './unrecorded-ends.ts';

/**
 * Records what ended while no process advanced the run, and selects what a person's kill or stop interrupted. It is work for
 * whoever continues the run: the person killed it before asking for more. A run that ended by itself has reported the kill;
 * its failed steps are reopened instead.
 */
export async function findInterruptedWork(tutti: Tutti, runId: string): Promise<(entry: Entry) => boolean> {
  const run = await tutti.queries.run(runId);
  if (run === null || hasReported(run) || (await isAdvancing(tutti, runId))) return () => false;
  await recordEnds(tutti, [runId]);
  const entries = await tutti.queries.entries(runId);
  if (!entries.some(({ state }) => state.at !== 'dropped' && outcomeOfState(state) === 'INTERRUPTED'))
    return () => false;
  const killed = interruptedSteps((await runStatus(tutti, outlinesByName, runId))?.steps ?? []);
  const interrupted = familyOf(run).hasTasks ? await atWork(tutti, runId, killed) : killed;
  return runsAgain(entries, interrupted, { interrupted });
}

function hasReported({ state, cancelled }: Run): boolean {
  return state.at === 'ended' && !cancelled;
}

/** A task that the run has given up is tried again as a whole. */
async function atWork(
  { queries }: Tutti,
  runId: string,
  ids: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const tasks = await queries.plans.tasks(planOfRunId(runId));
  const own = tasks.filter(
    ({ task, state }) => ids.has(task.id) && state.at === 'running' && state.by === runId,
  );
  return new Set(own.map(({ task }) => task.id));
}
