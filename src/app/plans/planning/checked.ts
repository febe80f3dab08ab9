import { type PlanCheck, problemOf, type VerdictCheck } from '../../../model/plan/plan-check.ts';
import type { OperationEnd } from '../../host/operation.ts';

/** What was found in an agent's files. Files that do not count are a failed check, told with what is wrong with them. */
export function checked<Check extends PlanCheck | VerdictCheck>(check: Check): OperationEnd<Check> {
  const finding = problemOf(check);
  if (finding === null) return { at: 'done', outcome: 'SUCCESS', value: check };
  return { at: 'done', outcome: 'FAILURE', value: { ...check, finding } };
}
