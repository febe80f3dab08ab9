import { err, ok, type Result } from '../../../lib/result.ts';
import type { Approval, PlanRecord } from '../../../model/plan/plan-record.ts';
import { decidedSince, withApproval } from '../../../model/plan/plan-transitions.ts';
import { permitDecision } from '../../people/decide.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import { recordAnswer } from '../../runs/answer-question.ts';
import { ensureConductor } from '../../runs/conductor.ts';
import { isDriven } from '../../status/living-holder.ts';
import type { Tutti } from '../../tutti.ts';
import type { FoundPlan } from '../find-plan.ts';
import { openApproval, unrecordedApproval } from '../open-approval.ts';
import { changedTaskFiles } from '../changed-tasks.ts';
import { conductingRuns } from './plan-status.ts';
import { takeEditsCommand } from './next-command.ts';
import { changePlan } from './changed.ts';

interface PlanDecision extends Pick<Approval, 'said' | 'reason'> {
  /** When the person could last have looked at the plan: a decision made after it was not seen. */
  readonly since: number;
}

/**
 * A person's word on the plan, for the tasks as they are now. A run that waits for it continues. Of two at once the first
 * counts, and the audit lists no other; a person who saw the first one may decide again.
 */
export async function decidePlan(
  tutti: Tutti,
  found: FoundPlan,
  { said, reason, since }: PlanDecision,
): Promise<Result<PlanRecord, Refusal>> {
  const { name } = found.plan;
  const word = said === 'approved' ? 'approve' : 'refuse';
  const permitted = await permitDecision(tutti, 'approve', `${word} plan ${name}`);
  if (!permitted.ok) return permitted;
  const { by, made } = permitted.value;
  const edited = said === 'approved' ? refuseEdited(tutti, found) : null;
  if (edited !== null) return err(edited);

  const look = `see it: tutti plan status --plan ${name}`;
  const approved = (record: PlanRecord) => withApproval(record, { said, reason, by, at: tutti.clock.wall() });
  const asked = openApproval(tutti, name);
  const decided = (record: PlanRecord) => {
    const late = decidedSince(record, since) ?? (asked === null ? answeredBefore(tutti, record) : null);
    return late === null ? approved(record) : err(late);
  };
  if (asked === null) return changePlan(tutti, name, look, decided, made);
  const record = tutti.queries.plans.one(name);
  const possible = record === null ? ok(null) : decided(record);
  if (!possible.ok) return err(refusal('FAILURE', possible.error, look));
  // The answer comes first: of two, the store takes one.
  const text = reason === null ? word : `${word} ${reason}`;
  const answered = await recordAnswer(tutti, asked, text, permitted.value);
  if (!answered.ok) return answered;
  const changed = await changePlan(tutti, name, look, approved);
  if (!isDriven(tutti, asked.runId)) await ensureConductor(tutti);
  return changed;
}

/** What `tutti plan show` shows are the files; an approval is for the tasks that were checked and verified. */
function refuseEdited(tutti: Tutti, { plan, paths }: FoundPlan): Refusal | null {
  const changed = changedTaskFiles(tutti, { plan, paths });
  if (changed === null) return null;
  const message = `the task files of plan ${plan.name} are not what was verified: ${changed}`;
  const command = takeEditsCommand(plan.name, conductingRuns(tutti, plan.name));
  return refusal('FAILURE', message, `have them checked and shown again: ${command}`);
}

/** Another person answered, and the run that asked has not recorded it yet. */
function answeredBefore(tutti: Tutti, record: PlanRecord): string | null {
  const answered = unrecordedApproval(tutti, record);
  return answered === null
    ? null
    : `${answered.id}, which asks about plan ${record.name}, already has an answer`;
}
