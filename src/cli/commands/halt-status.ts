import type { FoundPlan } from '../../app/plans/find-plan.ts';
import { findHalt } from '../../app/plan-record/find-halt.ts';
import { findRunning } from '../../app/plans/agent-led/parked-tasks.ts';
import { isStopped } from '../../app/plans/agent-led/plan-status.ts';
import type { OpenedProject } from '../../app/opened-project.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { PlanHalt } from '../../model/plan/plan-record.ts';
import type { Output } from '../../model/schemas/published.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { planFlags } from '../plan-flags.ts';
import { type PlanFlags, readPlan } from '../read-plan.ts';
import { printJson, printLines } from '../print.ts';

export const command = defineCommand<PlanFlags, []>({
  reads: true,
  parameters: { flags: planFlags },
  about: 'With --json, prints plan, halted, reason, requested_at, confirmed_at, stop_file and running.',
  examples: [['tutti halt-status --json', 'print JSON']],
  run: haltStatus,
});

function haltStatus(flags: PlanFlags, context: Context): Promise<Outcome> {
  return readPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    await printHalt(context, tutti, found, findHalt(found.plan, found.paths), flags.json);
    return 'SUCCESS';
  });
}

export async function printHalt(
  context: Context,
  tutti: OpenedProject,
  { plan: { name }, paths }: FoundPlan,
  halt: PlanHalt | null,
  json: boolean,
): Promise<void> {
  const running = await findRunning(tutti, name);
  if (json) {
    printJson<Output<'halt-status'>>(context, {
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
