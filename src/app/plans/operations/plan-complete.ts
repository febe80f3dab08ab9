import { rmSync } from 'node:fs';
import { changePlan } from '../../plan-record/change-plan.ts';
import { ok } from '../../../lib/result.ts';
import { clearCheckpoint } from '../../../model/plan/checkpoint.ts';
import { advance } from '../../../model/plan/plan-record.ts';
import { done, failed } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { tidyWorkspaces } from '../executing/tidy.ts';
import { logActivity } from '../../plan-files/activity-log.ts';
import { planPathsOf } from '../../plan-files/plan-paths.ts';
import { writePlanViews } from '../plan-views.ts';

/** Completes a plan whose tasks are all done. A halt that came too late, and its STOP file, are removed. */
export async function planComplete({
  parts,
  args: { plan, target },
}: OperationCall<'plan-complete'>): Promise<OperationEnd<null>> {
  const paths = planPathsOf(parts.paths, plan);
  await tidyWorkspaces(parts, target);
  const changed = await changePlan(parts, plan, async (record, tasks) => {
    if (record.phase !== 'executing') return ok(record);
    const rows = await tasks();
    const open = rows.filter(({ state }) => state.at !== 'done').length;
    const next = advance(record, { total: rows.length, open });
    return next.ok ? ok(clearCheckpoint(next.value)) : next;
  });
  if (!changed.ok) return failed(changed.error);
  rmSync(paths.stop, { recursive: true, force: true });
  await logActivity(parts, paths, {
    level: 'INFO',
    agent: 'orchestrator',
    event: 'phase-transition',
    message: `the plan is ${changed.value.phase}`,
  });
  await writePlanViews(parts, plan);
  return done(null);
}
