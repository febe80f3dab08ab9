import type { PlanRecord } from '../../model/plan/plan-record.ts';
import { planRunId } from '../../model/plan/task-row.ts';
import { isApproval, type OpenQuestion } from '../../model/question.ts';
import type { Decided } from '../people/decide.ts';
import { recordAnswer } from '../runs/answer-question.ts';
import { ensureConductor } from '../runs/conductor.ts';
import { isDriven } from '../status/living-holder.ts';
import type { KnownQuestion } from '../../store/queries.ts';
import type { Tutti } from '../tutti.ts';

/** The question by which the plan's run waits for a person's word on it; null: it does not. */
export function openApproval({ queries }: Pick<Tutti, 'queries'>, plan: string): OpenQuestion | null {
  return queries.openQuestions(planRunId(plan)).find(isApproval) ?? null;
}

/** The last answer to such a question, while the run has not recorded it; null: there is none. An edit decides nothing. */
export function unrecordedApproval(
  { queries }: Pick<Tutti, 'queries'>,
  { name, approval }: Pick<PlanRecord, 'name' | 'approval'>,
): KnownQuestion | null {
  const run = queries.run(planRunId(name));
  if (run === null || run.state.at === 'ended') return null;
  const last = queries.lastAnswered(run.id);
  if (last === null || !isApproval(last) || last.answer === 'edit') return null;
  return (last.answeredAt ?? 0) > (approval?.at ?? 0) ? last : null;
}

/** Gives the plan's run the word that it waits for; false: it does not wait. */
export async function answerApproval(
  tutti: Tutti,
  plan: string,
  text: string,
  decided: Decided,
): Promise<boolean> {
  const asked = openApproval(tutti, plan);
  if (asked === null) return false;
  const answered = await recordAnswer(tutti, asked, text, decided);
  if (answered.ok && !isDriven(tutti, asked.runId)) await ensureConductor(tutti);
  return answered.ok;
}
