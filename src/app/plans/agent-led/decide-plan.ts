import { textMember } from '../../../lib/json.ts';
import { err, type Result } from '../../../lib/result.ts';
import { isAtLeast } from '../../../model/plan/phase.ts';
import { planRunId } from '../../../model/plan/task-row.ts';
import type { Approval, PlanRecord } from '../../../model/plan/plan-record.ts';
import { decidedSince, withApproval } from '../../../model/plan/plan-transitions.ts';
import { firstAnswer, type OpenQuestion } from '../../../model/question.ts';
import { permitDecision } from '../../people/decide.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import { refuseGoneFiles } from '../../plan-files/kept-files.ts';
import { recordAnswer } from '../../runs/answer-question.ts';
import { callConductor } from '../../runs/ensure-conductor.ts';
import { isAdvancing } from '../../status/living-holder.ts';
import type { Tutti } from '../../tutti.ts';
import type { FoundPlan } from '../find-plan.ts';
import { asksAbout, openApproval, unrecordedApproval, wasAskedAbout } from '../open-approval.ts';
import { changedTaskFiles, changesSince } from '../changed-tasks.ts';
import { conductingRuns } from './plan-status.ts';
import { takeEditsCommand } from '../../../model/plan/take-edits.ts';
import { changePlan } from './change-and-show.ts';

interface PlanDecision extends Pick<Approval, 'said' | 'reason'> {
  /** When the person could last have looked at the plan: a decision made after it was not seen. */
  readonly since: number;
  /** Digest of the tasks whose files and commands the caller has shown to the person; absent: the question has. */
  readonly shown?: string;
}

/**
 * A person's word on the plan, for the tasks that a question or the caller has shown. A run that waits for it continues. Of two at once the first
 * counts, and the audit lists no other; a person who saw the first one may decide again.
 */
export async function decidePlan(
  tutti: Tutti,
  found: FoundPlan,
  decision: PlanDecision,
): Promise<Result<PlanRecord, Refusal>> {
  const { said, reason, since, shown } = decision;
  const { name } = found.plan;
  const word = said === 'approved' ? 'approve' : 'refuse';
  const permitted = await permitDecision(tutti, 'approve', `${word} plan ${name}`);
  if (!permitted.ok) return permitted;
  const { by, made } = permitted.value;
  const asked = await openApproval(tutti, name);
  const unseen =
    said === 'approved'
      ? ((await refuseEdited(tutti, found)) ?? (await refuseUnshown(tutti, found, asked, shown)))
      : null;
  if (unseen !== null) return err(unseen);

  const { digestTaskFiles } = await import('../../plan-files/load-tasks.ts');
  const files = said === 'refused' ? { files: digestTaskFiles(found.paths.dir) } : {};
  const look = await nextLook(tutti, found.plan);
  const approved = (record: PlanRecord) =>
    said === 'approved' && record.checked.tasks !== found.plan.checked.tasks
      ? err('the tasks were changed after they were shown')
      : withApproval(record, { said, reason, by, at: tutti.clock.wall(), ...files });
  if (asked === null) {
    // A question and its answer make a version of the plan, so the write comes before both or is decided again.
    let isAsked = false;
    const decided = async (record: PlanRecord) => {
      isAsked = (await openApproval(tutti, name)) !== null;
      const late = decidedSince(record, since) ?? (await answeredBefore(tutti, record));
      return late === null && !isAsked ? approved(record) : err(late ?? 'its run asks about it now');
    };
    const changed = await changePlan(tutti, name, look, decided, made);
    return isAsked ? decidePlan(tutti, found, decision) : changed;
  }
  const record = await tutti.queries.plans.one(name);
  const late = record === null ? null : decidedSince(record, since);
  if (late !== null) return err(refusal('FAILURE', late, look));
  // The answer comes first: of two, the store takes one.
  const text = reason === null ? word : `${word}: ${reason}`;
  const answered = await recordAnswer(tutti, asked, text, permitted.value);
  if (!answered.ok) return answered;
  const changed = await changePlan(tutti, name, look, approved);
  if (!(await isAdvancing(tutti, asked.runId))) await callConductor(tutti, [asked.runId]);
  return changed;
}

/** A plan that is not ready may wait for an answer. */
async function nextLook({ queries }: Tutti, { name, phase }: PlanRecord): Promise<string> {
  const [open] = isAtLeast(phase, 'ready') ? [] : await queries.openQuestions(planRunId(name));
  return open === undefined
    ? `see it: tutti plan status --plan ${name}`
    : `answer ${open.id} first: tutti inbox`;
}

/** A decision of another person since the plan was shown to this one; null: none was made. */
export async function refuseDecided(tutti: Tutti, name: string, since: number): Promise<Refusal | null> {
  const record = await tutti.queries.plans.one(name);
  if (record === null) return null;
  const late = decidedSince(record, since) ?? (await answeredBefore(tutti, record));
  return late === null ? null : refusal('FAILURE', late, `see it: tutti plan status --plan ${name}`);
}

/** What `tutti plan show` shows are the files; an approval is for the tasks that were checked and verified. */
async function refuseEdited(tutti: Tutti, { plan, paths }: FoundPlan): Promise<Refusal | null> {
  const gone = refuseGoneFiles(tutti, plan);
  if (gone !== null) return gone;
  const changed = await changedTaskFiles(tutti, { plan, paths });
  if (changed === null) return null;
  const message = `the task files of plan ${plan.name} are not what was verified: ${changed}`;
  const command = takeEditsCommand(plan.name, await conductingRuns(tutti, plan.name));
  return refusal('FAILURE', message, `have them checked and shown again: ${command}`);
}

/** Tasks that no question and no output has shown are not approved. */
async function refuseUnshown(
  tutti: Tutti,
  { plan, paths }: FoundPlan,
  asked: OpenQuestion | null,
  shown: string | undefined,
): Promise<Refusal | null> {
  const { name, checked, approval } = plan;
  const { tasks } = checked;
  if (tasks === undefined || !isAtLeast(plan.phase, 'ready')) return null;
  if (asked !== null) {
    if (asksAbout(asked, tasks)) return null;
    const words = await changesSince(tutti, { plan, paths }, textMember(asked.question.evidence, 'tasks'));
    const message = `the tasks of plan ${name} are not those that ${asked.id} asks about${words === null ? '' : `: ${words}`}`;
    const command = takeEditsCommand(name, await conductingRuns(tutti, name));
    return refusal(
      'FAILURE',
      message,
      `see them: tutti plan show --plan ${name}; have them verified and asked about: ${command}`,
    );
  }
  if (shown === tasks || approval?.tasks === tasks || (await wasAskedAbout(tutti, name, tasks))) return null;
  const message = `no question has shown the tasks of plan ${name} as they are now`;
  return refusal('FAILURE', message, `have them shown and asked about: tutti plan --plan ${name}`);
}

/** Another person answered, and the run that asked has not recorded it yet. */
async function answeredBefore(tutti: Tutti, record: PlanRecord): Promise<string | null> {
  const answered = await unrecordedApproval(tutti, record);
  return answered === null ? null : firstAnswer(answered);
}
