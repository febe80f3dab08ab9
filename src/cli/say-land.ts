import { isPlanDelivered } from '../app/plans/delivered.ts';
import type { Tutti } from '../app/tutti.ts';
import type { PlanRecord } from '../model/plan/plan-record.ts';
import type { Context } from './context.ts';

/** Where finished work goes next, while it is not in the person's checkout. */
export async function sayLand(
  { process }: Context,
  tutti: Tutti,
  plan: PlanRecord,
  json: boolean,
): Promise<void> {
  if (json || (await isPlanDelivered(tutti, plan))) return;
  process.stderr.write(`  → bring it into your checkout: tutti land --plan ${plan.name}\n`);
}
