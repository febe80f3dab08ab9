import { done } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { planPathsOf } from '../../plan-files/plan-paths.ts';
import { tellWaived } from '../../plan-files/plan-context.ts';
import { leftOut } from './workspace-setup.ts';

/** Tells the plan's agents which commands a person chose to continue without. */
export async function planWaived({
  parts,
  args: { plan, without },
}: OperationCall<'plan-waived'>): Promise<OperationEnd<null>> {
  tellWaived(planPathsOf(parts.paths, plan), [...new Set(await leftOut(parts, plan, without))]);
  return done(null);
}
