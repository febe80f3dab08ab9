import { planRunId } from '../../model/plan/task-row.ts';
import { isApproval, type OpenQuestion } from '../../model/question.ts';
import type { Decided } from '../people/decide.ts';
import { recordAnswer } from '../runs/answer-question.ts';
import { ensureConductor } from '../runs/conductor.ts';
import { isDriven } from '../status/living-holder.ts';
import type { Tutti } from '../tutti.ts';

/** The question by which the plan's run waits for a person's word on it; null: it does not. */
export function openApproval({ queries }: Pick<Tutti, 'queries'>, plan: string): OpenQuestion | null {
  return queries.openQuestions(planRunId(plan)).find(isApproval) ?? null;
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
