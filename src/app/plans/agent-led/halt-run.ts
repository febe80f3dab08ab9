import { ok, type Result } from '../../../lib/result.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import { executeRunId } from '../../../model/plan/task-row.ts';
import type { Refusal } from '../../refusal.ts';
import { haltRun } from '../../runs/control.ts';
import { isHeld } from '../../status/living-holder.ts';
import type { Tutti } from '../../tutti.ts';
import { findPlan } from '../find-plan.ts';
import { haltPlan } from './halt-plan.ts';
import { findRunning } from './parked-tasks.ts';

/** A halt by a signal: the person at the terminal wanted this command to end, not the plan to rest. */
export const interruptReasons = { SIGINT: 'Ctrl-C', SIGTERM: 'SIGTERM' } as const;

/** The plan that a run executes; other runs execute none. */
export async function executedPlan(tutti: Tutti, runId: string): Promise<PlanRecord | undefined> {
  return (await tutti.queries.plans.all()).find(({ name }) => executeRunId(name) === runId);
}

/** Tasks that a halt lets finish; null for a run that executes no plan. */
export async function tasksUnderWay(tutti: Tutti, runId: string): Promise<readonly string[] | null> {
  const plan = await executedPlan(tutti, runId);
  return plan === undefined ? null : findRunning(tutti, plan.name);
}

/** A task is more than one turn: whoever halts the run that executes a plan lets tasks finish, not only their turns. */
export async function haltRunOrPlan(
  tutti: Tutti,
  runId: string,
  reason: string,
): Promise<Result<'halting' | 'halted', Refusal>> {
  const plan = await executedPlan(tutti, runId);
  if (plan === undefined || !(await isHeld(tutti, runId))) return haltRun(tutti, runId, reason);
  const found = await findPlan(tutti, plan.name);
  if (!found.ok) return found;
  const halted = await haltPlan(tutti, found.value, reason);
  return halted.ok ? ok('halting') : halted;
}
