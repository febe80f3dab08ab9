import { err, ok, type Result } from '../../lib/result.ts';
import type { Delivery } from '../../model/plan/workspace.ts';
import { deliver } from '../../workspace/deliver.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import { logActivity } from './activity-log.ts';
import type { FoundPlan } from './find-plan.ts';
import { targetOf, unusable } from './state/task-target.ts';

export interface DeliveredPlan {
  readonly delivery: Exclude<Delivery, { at: 'refused' }>;
  readonly done: number;
  readonly total: number;
}

/** `tutti land`: the one command that writes into the operator's checkout. What has landed so far is brought there. */
export async function deliverPlan(
  tutti: Tutti,
  { plan, paths }: FoundPlan,
  into: string | undefined,
): Promise<Result<DeliveredPlan, Refusal>> {
  const counts = tutti.queries.plans.counts(plan.name);
  const done = counts.get('done') ?? 0;
  if (done === 0) {
    const message = `nothing of plan ${plan.name} has landed yet`;
    return err(refusal('FAILURE', message, `see what it waits for: tutti plan status --plan ${plan.name}`));
  }
  const target = await targetOf(tutti, plan);
  if (!target.ok) return target;
  const delivery = await deliver(target.value, into === undefined ? {} : { into });
  if (!delivery.ok) return err(unusable(delivery.error));
  if (delivery.value.at === 'refused') {
    const { reason, files } = delivery.value;
    const named =
      files.length === 0 ? '' : `: ${files.slice(0, 10).join(', ')}${files.length > 10 ? ', …' : ''}`;
    return err(refusal('FAILURE', `${reason}${named}`, `then again: tutti land --plan ${plan.name}`));
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const message = delivery.value.at === 'nothing' ? 'nothing to bring' : `delivered ${delivery.value.commit}`;
  await logActivity(tutti, paths, { level: 'INFO', agent: 'orchestrator', event: 'land', message });
  return ok({ delivery: delivery.value, done, total });
}
