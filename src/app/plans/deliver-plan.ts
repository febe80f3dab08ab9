import { err, ok, type Result } from '../../lib/result.ts';
import { didYouMean, nearest } from '../../model/schemas/nearest.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import type { Delivery, Target } from '../../model/plan/workspace.ts';
import { deliver, localBranches } from '../../workspace/deliver.ts';
import { hasEverything } from '../../workspace/undelivered.ts';
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
  const unknown = into === undefined ? null : await unknownBranch(target.value, into);
  if (unknown !== null) return err(unknown);
  const delivery = await deliver(target.value, into === undefined ? {} : { into });
  if (!delivery.ok) return err(unusable(delivery.error));
  if (delivery.value.at === 'refused') {
    const { reason, files } = delivery.value;
    const named =
      files.length === 0 ? '' : `: ${files.slice(0, 10).join(', ')}${files.length > 10 ? ', …' : ''}`;
    return err(refusal('FAILURE', `${reason}${named}`, `then again: ${landCommand(plan.name, into)}`));
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const message = delivery.value.at === 'nothing' ? 'nothing to bring' : `delivered ${delivery.value.commit}`;
  await logActivity(tutti, paths, { level: 'INFO', agent: 'orchestrator', event: 'land', message });
  return ok({ delivery: delivery.value, done, total });
}

/** Whether `tutti land` would find nothing to bring. */
export async function isPlanDelivered(tutti: Tutti, plan: PlanRecord): Promise<boolean> {
  const target = await targetOf(tutti, plan);
  return target.ok && hasEverything(target.value);
}

async function unknownBranch(target: Target, into: string): Promise<Refusal | null> {
  if (target.kind === 'folder') return null;
  const branches = await localBranches(target);
  if (branches.includes(into)) return null;
  const meant = nearest(into, branches);
  const hint = meant === null ? 'see which there are: git branch' : landCommand(target.plan, meant);
  const message = `${target.root} has no branch '${into.slice(0, 80)}'${didYouMean(into, branches)}`;
  return refusal('USAGE', message, hint);
}

function landCommand(plan: string, into: string | undefined): string {
  return `tutti land --plan ${plan}${into === undefined ? '' : ` --into ${into}`}`;
}
