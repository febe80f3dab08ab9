import type { PlanVerdict } from '../plan/plan-record.ts';
import { filledText, list, oneOf } from './leaf.ts';
import { document } from './plan-leaf.ts';

export const planVerdicts = [
  'READY',
  'READY_WITH_NOTES',
  'BLOCKED',
] as const satisfies readonly PlanVerdict['verdict'][];

/** `reports/task-validation.json`: what the verifier says of the tasks. */
export const taskValidationForm = document({
  verdict: oneOf(planVerdicts),
  summary: filledText('a sentence'),
  issues: list(filledText(), 'a list of issues'),
});
