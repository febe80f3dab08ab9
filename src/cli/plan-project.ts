import type { Outcome } from '../model/outcome.ts';
import { findPlan, type FoundPlan, noPlans, projectOfPlan } from '../app/plans/find-plan.ts';
import { openIfMade } from '../app/sessions/prepare.ts';
import type { Tutti } from '../app/tutti.ts';
import type { JsonFlag } from './command.ts';
import type { Context } from './context.ts';
import { fail } from './fail.ts';
import { withOpened } from './project.ts';

export interface PlanFlags extends JsonFlag {
  readonly plan?: string;
}

type Work = (tutti: Tutti, found: FoundPlan) => Outcome | Promise<Outcome>;

/** Opens the project of a plan, wherever one stands, and finds the plan that is meant. */
export async function withPlan(context: Context, flags: PlanFlags, work: Work): Promise<Outcome> {
  const { json, plan } = flags;
  return withPlans(context, flags, (tutti) => {
    const found = findPlan(tutti, plan);
    if (!found.ok) return fail(context, found.error, json);
    const { note } = found.value;
    if (note !== null && !json) context.process.stderr.write(`${note}\n`);
    return work(tutti, found.value);
  });
}

/** The same without choosing one. Agents call these often: what else goes on in the project is not told. */
export async function withPlans(
  context: Context,
  { json, plan }: PlanFlags,
  work: (tutti: Tutti) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const { env } = context;
  const folder = projectOfPlan({ folder: context.folder, env, plan });
  const opened = openIfMade({ folder, env });
  if (!opened.ok) return fail(context, opened.error, json);
  if (opened.value === null) return fail(context, noPlans(folder), json);
  return withOpened(context, { json, detach: true }, opened.value, work);
}
