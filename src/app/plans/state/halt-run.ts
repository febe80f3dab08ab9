import { ok, type Result } from '../../../lib/result.ts';
import { executeRunId } from '../../../model/plan/task-row.ts';
import type { Refusal } from '../../refusal.ts';
import { haltRun } from '../../runs/control.ts';
import { isHeld } from '../../runs/drive-run.ts';
import type { Tutti } from '../../tutti.ts';
import { findPlan } from '../find-plan.ts';
import { haltPlan } from './halt-plan.ts';

/** A task is more than one turn: whoever halts the run that executes a plan lets tasks finish, not only their turns. */
export async function haltRunOrPlan(
  tutti: Tutti,
  runId: string,
  reason: string,
): Promise<Result<'halting' | 'halted', Refusal>> {
  const plan = tutti.queries.plans.all().find(({ name }) => executeRunId(name) === runId);
  if (plan === undefined || !isHeld(tutti, runId)) return haltRun(tutti, runId, reason);
  const found = findPlan(tutti, plan.name);
  if (!found.ok) return found;
  const halted = await haltPlan(tutti, found.value, reason);
  return halted.ok ? ok('halting') : halted;
}
