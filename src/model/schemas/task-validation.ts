import type { PlanVerdict } from '../plan/plan-record.ts';
import { filledText, list, oneOf } from './basic-shapes.ts';
import { document } from './plan-shapes.ts';

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
