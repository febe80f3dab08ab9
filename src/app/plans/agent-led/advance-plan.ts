import { contentAddress } from '../../../lib/digest.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import type { PlanPhase } from '../../../model/plan/phase.ts';
import { advance, type ArtifactName, type PlanRecord } from '../../../model/plan/plan-record.ts';
import { withSpec } from '../../../model/plan/plan-transitions.ts';
import { decidePlanChange } from '../../people/decide-plan-change.ts';
import type { Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import type { FoundPlan } from '../find-plan.ts';
import { readSpec } from '../../plan-files/load-plan.ts';
import { changePlan } from './change-and-show.ts';
import { checkArtifact } from './check-artifact.ts';
import { planStatus } from './plan-status.ts';

export interface Advanced {
  readonly from: PlanPhase;
  readonly plan: PlanRecord;
}

/** What each phase stands on, to be looked at once more: files can be edited after they have passed. */
const lookedAt: Readonly<Partial<Record<PlanPhase, ArtifactName>>> = {
  logical: 'capability_map',
  physical: 'physical_map',
  definition: 'tasks',
  validation: 'tasks',
  sequencing: 'tasks',
  ready: 'tasks',
};

/** To the next phase, or what the present one still owes. */
export async function advancePlan(tutti: Tutti, found: FoundPlan): Promise<Result<Advanced, Refusal>> {
  const { plan, paths } = found;
  const decided = await decidePlanChange(tutti, plan.name, 'change the phase');
  if (!decided.ok) return decided;
  const name = lookedAt[plan.phase];
  if (name !== undefined && plan.checked[name] !== undefined) {
    const checked = await checkArtifact(tutti, found, name, { isDecided: true });
    if (!checked.ok) return err(checked.error);
  }
  const spec = plan.phase === 'ingestion' ? readSpec(paths.dir) : null;
  const { next } = await planStatus(tutti, (await tutti.queries.plans.one(plan.name)) ?? plan);
  const changed = await changePlan(
    tutti,
    plan.name,
    next === null || next === 'tutti plan advance'
      ? 'look at it: tutti plan status'
      : `do this first: ${next}`,
    async (record) => {
      const stored = spec?.ok === true ? withSpec(record, contentAddress(spec.value)) : record;
      const counts = await tutti.queries.plans.counts(plan.name);
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
      // A person decided that what is skipped is not to be done.
      const open = total - (counts.done ?? 0) - (counts.skipped ?? 0);
      return advance(stored, { total, open });
    },
  );
  return changed.ok ? ok({ from: plan.phase, plan: changed.value }) : changed;
}
