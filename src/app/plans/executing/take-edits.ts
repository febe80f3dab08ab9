import { loadTasks } from '../../plan-record/change-plan.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { withTasks } from '../../../model/plan/plan-transitions.ts';
import { decidePlanChange } from '../../people/decide-plan-change.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import { changedTasks } from '../changed-tasks.ts';
import type { FoundPlan } from '../find-plan.ts';
import type { PlanSources } from '../plan-sources.ts';
import { writePlanViews } from '../plan-views.ts';

export interface TakenEdits {
  /** The plan as it is now. */
  readonly found: FoundPlan;
  /** What changed in the task files since they passed, in words; null: nothing. */
  readonly edits: string | null;
}

/**
 * Task files may be edited. What passes its validators is taken: tasks that are the same work keep their state,
 * the others are open again, and the plan is back where somebody must say that it is good. Maps are for planning.
 */
export async function takeEdits(
  tutti: Tutti,
  { plan, paths, note }: FoundPlan,
  { tasks, checksums }: PlanSources,
): Promise<Result<TakenEdits, Refusal>> {
  const { checked, name } = plan;
  for (const map of ['capability_map', 'physical_map'] as const) {
    if (checked[map] === undefined || checked[map] === checksums[map]) continue;
    const file = map === 'capability_map' ? paths.capabilityMap : paths.physicalMap;
    return err(refusal('FAILURE', `${file} was changed since it was checked`, `tutti plan --plan ${name}`));
  }
  const changed = await changedTasks(tutti, plan, tasks);
  if (changed === null) return ok({ found: { plan, paths, note }, edits: null });
  const decided = await decidePlanChange(tutti, name, 'take the edited tasks');
  if (!decided.ok) return decided;
  const loaded = await loadTasks(tutti, name, tasks.value, (record) =>
    ok(withTasks(record, tasks.digest, changed.isSameWork ? 'same' : 'other')),
  );
  if (!loaded.ok)
    return err(refusal('FAILURE', loaded.error, `see who is at it: tutti task list --plan ${name}`));
  await writePlanViews(tutti, name);
  const now = (await tutti.queries.plans.one(name)) ?? plan;
  return ok({ found: { plan: now, paths, note }, edits: changed.words });
}
