import { describeRefusal, type Objection, type PlanRecord } from './plan-record.ts';

/** Why the tasks as they are recorded were refused, oldest reason first; empty: they were not, or without a reason. */
export function findObjections({
  approval,
  checked,
}: Pick<PlanRecord, 'approval' | 'checked'>): readonly Objection[] {
  if (approval?.said !== 'refused' || approval.tasks !== checked.tasks) return [];
  const { reason, at, earlier = [] } = approval;
  return reason === null ? earlier : [...earlier, { reason, at }];
}

/** What a person can do after a refusal, each with its command; null: the plan is not refused. */
export function afterRefusal(plan: Pick<PlanRecord, 'name' | 'approval' | 'checked'>): string | null {
  if (describeRefusal(plan) === null) return null;
  const { name } = plan;
  const approve = `if you want it after all: tutti plan approve --plan ${name}`;
  const reasons = findObjections(plan).length;
  if (reasons > 0) {
    const which = reasons === 1 ? 'that reason' : `these ${reasons} reasons`;
    return `plan again with ${which}: tutti plan --plan ${name}; ${approve}`;
  }
  const edit = `edit the specification or the tasks (tutti plan edit --plan ${name}), then: tutti plan --plan ${name}`;
  return `say what to change: tutti plan refuse --reason TEXT --plan ${name}; or ${edit}; ${approve}`;
}
