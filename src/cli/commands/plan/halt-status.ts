import { findRunning } from '../../../app/plans/state/parked-tasks.ts';
import { findHalt } from '../../../app/plans/state/find-halt.ts';
import { confirmPlanHalt } from '../../../app/plans/state/halt-plan.ts';
import { isStopped } from '../../../app/plans/state/plan-status.ts';
import type { FoundPlan } from '../../../app/plans/find-plan.ts';
import type { Tutti } from '../../../app/tutti.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { PlanHalt } from '../../../model/plan/plan-record.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';

/** A predicate: 1 when nothing new is to be started. */
export function checkHalt(flags: PlanFlags, context: Context): Promise<Outcome> {
  return withPlan(context, flags, (tutti, found) => {
    const halt = findHalt(found.plan, found.paths);
    print(context, tutti, found, halt, flags.json);
    return halt === null ? 'SUCCESS' : 'FAILURE';
  });
}

export function haltStatus(flags: PlanFlags, context: Context): Promise<Outcome> {
  return withPlan(context, flags, (tutti, found): Outcome => {
    print(context, tutti, found, findHalt(found.plan, found.paths), flags.json);
    return 'SUCCESS';
  });
}

export function confirmHalt(flags: PlanFlags, context: Context): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found) => {
    const confirmed = await confirmPlanHalt(tutti, found);
    if (!confirmed.ok) return fail(context, confirmed.error, flags.json);
    print(context, tutti, found, confirmed.value.halt, flags.json);
    return 'SUCCESS';
  });
}

function print(
  context: Context,
  tutti: Tutti,
  { plan: { name }, paths }: FoundPlan,
  halt: PlanHalt | null,
  json: boolean,
): void {
  const running = findRunning(tutti, name);
  if (json) {
    printJson(context, {
      plan: name,
      halted: halt !== null,
      reason: halt?.reason ?? null,
      requested_at: halt === null ? null : new Date(halt.requestedAt).toISOString(),
      confirmed_at:
        halt === null || halt.confirmedAt === null ? null : new Date(halt.confirmedAt).toISOString(),
      stop_file: isStopped(paths),
      running,
    });
    return;
  }
  if (halt === null) {
    printLines(context, [`plan ${name} is not halted`]);
    return;
  }
  printLines(context, [
    `plan ${name} is halted${halt.confirmedAt === null ? '' : ', and nothing of it runs'}: ${oneLine(halt.reason)}`,
    ...(running.length === 0 ? [] : [`  still at work: ${running.join(', ')}`]),
    `  → continue: tutti resume ${name}`,
  ]);
}
