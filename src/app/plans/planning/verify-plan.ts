import { plain, recorded } from '../../../lib/json.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import type { BudgetLimits } from '../../../model/budget.ts';
import { rootStepOf } from '../../../model/key.ts';
import type { PlanInput } from '../../../model/plan/plan-input.ts';
import { isAtLeast, phaseAgents } from '../../../model/plan/phase.ts';
import { planRunId } from '../../../model/plan/task-row.ts';
import { verifyAgain } from '../../../workflows/plan/verification.ts';
import { decideToContinue } from '../../people/decide-continuing.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import { answerQuestion } from '../../runs/answer-question.ts';
import { withdrawQuestions } from '../../runs/withdraw-questions.ts';
import { changeRun, type MayDetach, refuseHeld } from '../../runs/run-holder.ts';
import { originOfAgents } from '../../sessions/origin.ts';
import type { Tutti } from '../../tutti.ts';
import { takeEdits } from '../executing/take-edits.ts';
import type { FoundPlan } from '../find-plan.ts';
import { planSources } from '../plan-sources.ts';

export interface VerifyBegun {
  readonly runId: string;
  /** `answered`: the run waited for it. `reopened`: the verifier looks once more; the run must be advanced. */
  readonly how: 'answered' | 'reopened';
}

/** `tutti plan verify`: the verifier looks at the tasks again, as they are now. */
export async function verifyPlan(
  tutti: Tutti,
  found: FoundPlan,
  how: MayDetach = {},
): Promise<Result<VerifyBegun, Refusal>> {
  const plan = found.plan.name;
  const runId = planRunId(plan);
  const known = await tutti.queries.run(runId);
  if (known === null) {
    const message = `plan ${plan} was not planned by Tutti's own agents, so there is no verifier to repeat`;
    return err(
      refusal('USAGE', message, `register a verdict: tutti plan validate-tasks VERDICT --plan ${plan}`),
    );
  }
  const asked = (await tutti.queries.openQuestions(runId)).find(
    ({ question }) => question.step === 'validation',
  );
  if (asked !== undefined) {
    const answered = await answerQuestion(tutti, asked.id, verifyAgain);
    return answered.ok ? ok({ runId, how: 'answered' }) : answered;
  }
  const wrong = (await refuseHeld(tutti, runId)) ?? (await refuseUnverifiable(tutti, found));
  if (wrong !== null) return err(wrong);
  const continued = await decideToContinue(tutti, runId);
  if (!continued.ok) return continued;
  const origin = await originOfAgents(tutti, phaseAgents.validation);
  if (!origin.ok) return origin;
  const input = recorded<PlanInput>(await tutti.queries.input(runId));
  const { concurrency } = known;
  const limits: BudgetLimits = {
    depth: tutti.config.maxDepth,
    ...(await tutti.queries.budget(runId))?.limits,
  };
  // A round of its own: the files as they are now count, and an approval in advance was for the files as they were.
  const next: PlanInput = { ...input, round: input.round + 1, approvedBy: null };
  const changed = await changeRun(tutti, runId, how, async (run) => {
    await run.amend({ input: plain(next), concurrency, limits });
    await run.reopen(({ key }) => rootStepOf(key) === 'validation');
    await withdrawQuestions(tutti, runId, () => true);
  });
  return changed.ok ? ok({ runId, how: 'reopened' }) : changed;
}

/** What only an author could put right: this command starts the verifier and no one else. */
async function refuseUnverifiable(tutti: Tutti, found: FoundPlan): Promise<Refusal | null> {
  const { name, phase, checked } = found.plan;
  if (checked.tasks === undefined || !isAtLeast(phase, 'validation')) {
    const message = `plan ${name} is in phase ${phase}, and has no tasks to verify`;
    return refusal('USAGE', message, `continue planning: tutti plan --plan ${name}`);
  }
  const sources = await planSources(tutti, found);
  if (!sources.ok) return sources.error;
  const taken = await takeEdits(tutti, found, sources.value);
  return taken.ok ? null : taken.error;
}
