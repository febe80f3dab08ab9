import { isAlive } from '../../lib/process/identity.ts';
import type { Tutti } from '../tutti.ts';
import { drivable } from './drive-run.ts';

/** Runs that could go on, while no living process drives them and no conductor will. */
export async function overdueRuns(tutti: Tutti): Promise<readonly string[]> {
  const conductor = tutti.queries.conductor();
  return conductor !== null && isAlive(conductor) ? [] : drivable(tutti);
}
