import type { FoundPlan } from '../../../app/plans/find-plan.ts';
import type { Refusal } from '../../../app/refusal.ts';
import type { Tutti } from '../../../app/tutti.ts';
import type { Result } from '../../../lib/result.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Bundle } from '../../../model/plan/bundle.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { taskArgument } from '../../plan-flags.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';

export const examples = [
  ['tutti bundle generate T001', 'write everything its executor needs to one file'],
  ['tutti bundle generate-ready', 'generate bundles for all tasks that can start'],
  ['tutti bundle validate-integrity T001', 'check that it is up to date'],
] as const;

export const oneTask = { kind: 'tuple', parameters: [taskArgument] } as const;

export function writeBundles(
  flags: PlanFlags,
  context: Context,
  make: (tutti: Tutti, found: FoundPlan) => Promise<Result<readonly Bundle[], Refusal>>,
): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const bundles = await make(tutti, found);
    if (!bundles.ok) return fail(context, bundles.error, flags.json);
    for (const { task_id: id } of bundles.value) {
      const path = found.paths.bundle(id);
      if (flags.json) printJson<Output<'bundle-row'>>(context, { task_id: id, path, problem: null });
      else printLines(context, [path]);
    }
    return 'SUCCESS';
  });
}

/** A predicate: 1 when it is not as it should be. */
export function checkBundle(
  flags: PlanFlags,
  context: Context,
  id: string,
  check: (tutti: Tutti, found: FoundPlan) => Promise<Result<Bundle, Refusal>>,
): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const bundle = await check(tutti, found);
    if (!bundle.ok) return fail(context, { ...bundle.error, outcome: 'FAILURE' }, flags.json);
    const path = found.paths.bundle(id);
    if (flags.json) printJson<Output<'bundle-row'>>(context, { task_id: id, path, problem: null });
    else printLines(context, [`the bundle of ${id} is valid`]);
    return 'SUCCESS';
  });
}
