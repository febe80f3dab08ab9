import { logActivity, type Activity } from '../../app/plans/activity-log.ts';
import { logTokens } from '../../app/plans/state/log-tokens.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { type PlanFlags, withPlan } from '../plan-project.ts';
import { printJson } from '../print.ts';

/** Says nothing but its line: agents call it all the time. */
export function log(
  flags: PlanFlags,
  context: Context,
  level: Activity['level'],
  agent: string,
  event: string,
  message: string,
): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, { paths }): Promise<Outcome> => {
    const line = await logActivity(tutti, paths, { level, agent, event, message });
    if (flags.json) printJson(context, { line });
    return 'SUCCESS';
  });
}

export function tokens(
  flags: PlanFlags,
  context: Context,
  session: string,
  tokensIn: number,
  tokensOut: number,
  costUsd: number,
): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found) => {
    const logged = await logTokens(tutti, found, session, { tokensIn, tokensOut, costUsd });
    if (!logged.ok) return fail(context, logged.error, flags.json);
    const { tokensIn: input, tokensOut: output, costUsd: cost } = logged.value;
    if (flags.json) printJson(context, { plan: found.plan.name, input, output, cost_usd: cost });
    return 'SUCCESS';
  });
}
