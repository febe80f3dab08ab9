import type { Outcome } from '../model/outcome.ts';
import { findPlan, type FoundPlan, nameOf, noPlans, projectOfPlan } from '../app/plans/find-plan.ts';
import { findLostPlans } from '../app/recovery/lost-plan.ts';
import { openIfMade } from '../app/sessions/prepare.ts';
import type { Tutti } from '../app/tutti.ts';
import type { JsonFlag } from './command.ts';
import type { Context } from './context.ts';
import { fail } from './fail.ts';
import { askAboutMoved } from './moved-state.ts';
import { printLines } from './print.ts';
import { withOpened } from './project.ts';

export interface PlanFlags extends JsonFlag {
  readonly plan?: string;
}

type Work = (tutti: Tutti, found: FoundPlan) => Outcome | Promise<Outcome>;

/** Opens the project of a plan, wherever one stands, and finds the plan that is meant. */
export async function withPlan(context: Context, flags: PlanFlags, work: Work): Promise<Outcome> {
  return withPlans(context, flags, (tutti) => choose(context, flags, tutti, work));
}

function choose(
  context: Context,
  { json, plan }: PlanFlags,
  tutti: Tutti,
  work: Work,
): Outcome | Promise<Outcome> {
  const found = findPlan(tutti, plan);
  if (!found.ok) return fail(context, found.error, json);
  const { note } = found.value;
  if (note !== null && !json) context.process.stderr.write(`${note}\n`);
  return work(tutti, found.value);
}

/** For commands that only look: a project without any plan is no mistake, unless one was named. */
export async function lookAtPlan(context: Context, flags: PlanFlags, work: Work): Promise<Outcome> {
  if (nameOf(context.env, flags.plan) !== null) return withPlan(context, flags, work);
  return lookAtPlans(context, flags, (tutti) =>
    tutti.queries.plans.all().length === 0 && findLostPlans(tutti).length === 0
      ? sayNone(context, flags)
      : choose(context, flags, tutti, work),
  );
}

/** The same without choosing one. */
export async function lookAtPlans(
  context: Context,
  flags: PlanFlags,
  work: (tutti: Tutti) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  return opened(context, flags, work, () => sayNone(context, flags));
}

function sayNone(context: Context, { json }: PlanFlags): Outcome {
  if (!json) printLines(context, ['no plans yet; start one: tutti plan SPEC']);
  return 'SUCCESS';
}

/** The same without choosing one. Agents call these often: what else goes on in the project is not told. */
async function withPlans(
  context: Context,
  flags: PlanFlags,
  work: (tutti: Tutti) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  return opened(context, flags, work, (folder) => fail(context, noPlans(folder), flags.json));
}

async function opened(
  context: Context,
  { json, plan }: PlanFlags,
  work: (tutti: Tutti) => Outcome | Promise<Outcome>,
  none: (folder: string) => Outcome,
): Promise<Outcome> {
  const { env, caller } = context;
  const folder = projectOfPlan({ folder: context.folder, env, plan });
  await askAboutMoved({ ...context, folder }, { json });
  const tutti = openIfMade({ folder, env, caller });
  if (!tutti.ok) return fail(context, tutti.error, json);
  if (tutti.value === null) return none(folder);
  return withOpened(context, { json, detach: true }, tutti.value, work);
}
