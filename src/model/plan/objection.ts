import { describeRefusal, type PlanRecord } from './plan-record.ts';

/** Why a person refused tasks, in that person's words. Who writes and verifies the next tasks gets it. */
export interface Objection {
  readonly reason: string;
  /** When it was said: of two with the same words, each counts. */
  readonly at: number;
}

/** The reason for which the tasks as they are recorded were refused; null: they were not, or without a reason. */
export function findObjection({
  approval,
  checked,
}: Pick<PlanRecord, 'approval' | 'checked'>): Objection | null {
  if (approval?.said !== 'refused' || approval.reason === null || approval.tasks !== checked.tasks)
    return null;
  return { reason: approval.reason, at: approval.at };
}

/** What a person can do after a refusal, each with its command; null: the plan is not refused. */
export function afterRefusal(plan: Pick<PlanRecord, 'name' | 'approval' | 'checked'>): string | null {
  if (describeRefusal(plan) === null) return null;
  const { name } = plan;
  const approve = `if you want it after all: tutti plan approve --plan ${name}`;
  if (findObjection(plan) !== null)
    return `plan again with that reason: tutti plan --plan ${name}; ${approve}`;
  const edit = `edit the specification or the tasks (tutti plan edit --plan ${name}), then: tutti plan --plan ${name}`;
  return `say what to change: tutti plan refuse --reason TEXT --plan ${name}; or ${edit}; ${approve}`;
}
