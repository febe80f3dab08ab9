import { filterAsync } from '../../lib/async-list.ts';
import { isAlive } from '../../lib/process/identity.ts';
import type { OpenedProject } from '../opened-project.ts';
import { faultOfLostPlan } from '../recovery/lost-plan.ts';
import type { Run } from '../../model/run.ts';
import { faultOfOrphaned } from '../recovery/orphaned-attempts.ts';
import { advancingHolder, findSilence, isAdvancing } from '../status/living-holder.ts';

/** Runs that could go on, while no living process that responds advances them and no conductor will. */
export async function overdueRuns(project: OpenedProject): Promise<readonly string[]> {
  const conductor = await project.queries.conductor();
  const isLiving = conductor !== null && isAlive(conductor, project.processes);
  if (isLiving && (await findSilence(project, conductor)) === null) return [];
  return unattended(project, async (run) => (await advancingHolder(project, run)) !== null);
}

/**
 * Runs that could go on and that no process advances; a child is advanced by the process that advances its parent. Not those about
 * which the database does not say all: their stop must be recorded first, a person must resume them, plan again what was
 * lost, or end what cannot be followed.
 */
export async function advanceable(
  project: OpenedProject,
  except: ReadonlySet<string> = new Set(),
): Promise<readonly string[]> {
  const runs = await unattended(project, ({ id }) => isAdvancing(project, id));
  return runs.filter((id) => !except.has(id));
}

async function unattended(
  project: OpenedProject,
  isAdvanced: (run: Run) => Promise<boolean>,
): Promise<readonly string[]> {
  const kept = new Set(project.wishes.all().map(({ runId }) => runId));
  return filterAsync(await project.queries.wakeable(null), async (id) => {
    const run = kept.has(id) ? null : await project.queries.run(id);
    if (run === null || run.parent !== null || (await isAdvanced(run))) return false;
    return (await faultOfLostPlan(project, id)) === null && (await faultOfOrphaned(project, id)) === null;
  });
}
