import type { PlanRecord } from '../../model/plan/plan-record.ts';
import { hasEverything } from '../../workspace/undelivered.ts';
import type { OpenedProject } from '../opened-project.ts';
import type { Tutti } from '../tutti.ts';
import { findTarget, targetOf } from './agent-led/task-target.ts';

/** Whether `tutti land` would find nothing to bring. */
export async function isPlanDelivered(tutti: Tutti, plan: PlanRecord): Promise<boolean> {
  const target = await targetOf(tutti, plan);
  return target.ok && hasEverything(target.value);
}

/** The same for a command that only looks; false also where that cannot be told. */
export async function seesPlanDelivered(tutti: OpenedProject, plan: PlanRecord): Promise<boolean> {
  const target = findTarget(tutti, plan);
  return target !== null && hasEverything(target);
}
