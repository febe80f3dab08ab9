import { planRunId } from '../../model/plan/task-row.ts';
import type { OpenQuestion } from '../../model/question.ts';
import type { Tutti } from '../tutti.ts';

/** The question by which the plan's run waits for a person's word on it; null: it does not. */
export function openApproval({ queries }: Pick<Tutti, 'queries'>, plan: string): OpenQuestion | null {
  return queries.openQuestions(planRunId(plan)).find(isApproval) ?? null;
}

/** Its options tell it from the question that follows a bad edit. */
export function isApproval({ question }: OpenQuestion): boolean {
  return question.step === 'approval' && (question.options?.includes('approve') ?? false);
}
