import { filterAsync } from '../../lib/async-list.ts';
import { isAlive } from '../../lib/process/identity.ts';
import type { OpenedProject } from '../opened-project.ts';
import { faultOfLostPlan } from '../recovery/lost-plan.ts';
import { isAdvancing } from '../status/living-holder.ts';

/** Runs that could go on, while no living process advances them and no conductor will. */
export async function overdueRuns(project: OpenedProject): Promise<readonly string[]> {
  const conductor = await project.queries.conductor();
  return conductor !== null && isAlive(conductor, project.processes) ? [] : advanceable(project);
}

/**
 * Runs that could go on and that no process advances; a child is advanced by the process that advances its parent. Not those about
 * which the database does not say all: their stop must be recorded first, a person must resume them, or plan again what was
 * lost.
 */
export async function advanceable(
  project: OpenedProject,
  except: ReadonlySet<string> = new Set(),
): Promise<readonly string[]> {
  const ids = (await project.queries.wakeable(null)).filter((id) => !except.has(id));
  const kept = new Set(project.wishes.all().map(({ runId }) => runId));
  return filterAsync(ids, async (id) => {
    if (kept.has(id) || (await project.queries.run(id))?.parent !== null) return false;
    return !(await isAdvancing(project, id)) && (await faultOfLostPlan(project, id)) === null;
  });
}
