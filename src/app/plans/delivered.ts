import type { PlanRecord } from '../../model/plan/plan-record.ts';
import { hasEverything } from '../../workspace/undelivered.ts';
import type { Tutti } from '../tutti.ts';
import { findTarget, targetOf } from './state/task-target.ts';

/** Whether `tutti land` would find nothing to bring. */
export async function isPlanDelivered(tutti: Tutti, plan: PlanRecord): Promise<boolean> {
  const target = await targetOf(tutti, plan);
  return target.ok && hasEverything(target.value);
}

/** The same for a command that only looks, and of a plan that is complete; false also where that cannot be told. */
export async function seesPlanDelivered(tutti: Tutti, plan: PlanRecord): Promise<boolean> {
  const target = plan.phase === 'complete' ? findTarget(tutti, plan) : null;
  return target !== null && hasEverything(target);
}
