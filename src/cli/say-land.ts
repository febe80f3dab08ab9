import { faultOfRefusal } from '../app/plan-record/refused-plan.ts';
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
  const land = `tutti land --plan ${plan.name}`;
  // A person may have refused it since the caller looked.
  const refused = faultOfRefusal((await tutti.queries.plans.one(plan.name)) ?? plan, land);
  process.stderr.write(
    refused === null
      ? `  → merge it into your checkout: ${land}\n`
      : `${refused.message}\n  → ${refused.hint}\n`,
  );
}
