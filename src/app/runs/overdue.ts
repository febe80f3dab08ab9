import { isAlive } from '../../lib/process/identity.ts';
import type { Tutti } from '../tutti.ts';
import { isDriven } from './control.ts';

/** Runs that could go on, while no living process drives them and no conductor will. */
export async function overdueRuns(tutti: Tutti): Promise<readonly string[]> {
  const conductor = tutti.queries.conductor();
  if (conductor !== null && isAlive(conductor)) return [];
  const wakeable = await tutti.store.wakeable(null);
  return wakeable.filter((id) => tutti.queries.run(id)?.parent === null && !isDriven(tutti, id));
}
