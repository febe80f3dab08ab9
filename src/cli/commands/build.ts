import { findPlan } from '../../app/plans/find-plan.ts';
import { openApproval } from '../../app/plans/open-approval.ts';
import { clearInterrupt } from '../../app/plans/state/clear-halt.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { type ExecuteFlags, executePlan } from './execute.ts';
import { driveToDecision, type MakeFlags, withPlanned } from './plan/make.ts';

export type BuildFlags = Omit<MakeFlags, 'detach'> & Pick<ExecuteFlags, 'parallel' | 'undeclared'>;

/** A plan, a person's word on it, and its execution: one command, which goes on from wherever it stopped. */
export function build(flags: BuildFlags, context: Context, spec?: string): Promise<Outcome> {
  const { json } = flags;
  return withPlanned(context, { ...flags, detach: false }, spec, async (tutti, started) => {
    const planned = await driveToDecision(context, tutti, started, { detach: false, json });
    if (planned !== 'SUCCESS') {
      if (planned === 'HUMAN_INPUT' && !json && openApproval(tutti, started.plan) !== null) {
        context.process.stderr.write(`  → see it again: tutti plan show --plan ${started.plan}\n`);
        context.process.stderr.write(
          `  → then: tutti plan approve --plan ${started.plan} && tutti execute --plan ${started.plan}\n`,
        );
      }
      return planned;
    }
    const planFound = findPlan(tutti, started.plan);
    const found = planFound.ok ? await clearInterrupt(tutti, planFound.value) : planFound;
    if (!found.ok) return fail(context, found.error, json);
    // Whoever said yes to the plan a moment ago is not asked again.
    return executePlan(context, tutti, found.value, {
      ...flags,
      batch: true,
      interactive: false,
      verify: true,
      detach: false,
    });
  });
}
