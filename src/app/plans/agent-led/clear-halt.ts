import { rmSync } from 'node:fs';
import { ok, type Result } from '../../../lib/result.ts';
import { decideToContinuePlan } from '../../people/decide-continuing.ts';
import type { Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import { logActivity } from '../../plan-files/activity-log.ts';
import { findPlan, type FoundPlan } from '../find-plan.ts';
import { changePlan } from './change-and-show.ts';
import { interruptReasons } from './halt-run.ts';
import { isStopped } from './plan-status.ts';

/** Removes the file and the flag; whether there was a halt at all. Only a person ends what a person halted. */
export async function clearHalt(tutti: Tutti, { plan, paths }: FoundPlan): Promise<Result<boolean, Refusal>> {
  const was = plan.halt !== null || isStopped(paths);
  if (!was) return ok(false);
  const decided = await decideToContinuePlan(tutti, plan);
  if (!decided.ok) return decided;
  rmSync(paths.stop, { recursive: true, force: true });
  const changed = await changePlan(tutti, plan.name, 'look at it: tutti halt-status', (record) =>
    ok({ ...record, halt: null }),
  );
  if (!changed.ok) return changed;
  const message = plan.halt === null ? 'the STOP file is gone' : `after: ${plan.halt.reason}`;
  await logActivity(tutti, paths, { level: 'INFO', agent: 'tutti', event: 'resume', message });
  return ok(true);
}

/** The plan without a halt that only an interrupt made: executing it again continues it. Any other halt stays. */
export async function clearInterrupt(tutti: Tutti, found: FoundPlan): Promise<Result<FoundPlan, Refusal>> {
  const reason = found.plan.halt?.reason ?? '';
  if (!Object.values<string>(interruptReasons).includes(reason)) return ok(found);
  const cleared = await clearHalt(tutti, found);
  return cleared.ok ? findPlan(tutti, found.plan.name) : cleared;
}
