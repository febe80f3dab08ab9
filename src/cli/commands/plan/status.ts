import { refuseGoneFiles } from '../../../app/plan-files/kept-files.ts';
import { changedTaskFiles } from '../../../app/plans/changed-tasks.ts';
import { planStatusJson } from '../../../app/plans/agent-led/plan-status-json.ts';
import { planStatus } from '../../../app/plans/agent-led/plan-status.ts';
import type { OpenedProject } from '../../../app/opened-project.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import { lookAtPlan, type PlanFlags } from '../../read-plan.ts';
import { printJson, printLines } from '../../print.ts';
import { planStatusLines } from '../../render/plan-status.ts';

export const command = defineCommand<PlanFlags, []>({
  reads: true,
  parameters: { flags: planFlags },
  about:
    'Shows the phase, counts of tasks, verdict, approval, halt, checkpoint, blocked tasks with the\n' +
    'reason, and the next command.',
  examples: [
    ['tutti plan status', 'show the newest plan'],
    ['tutti plan status --json', 'print JSON'],
  ],
  run: status,
});

function status(flags: PlanFlags, context: Context): Promise<Outcome> {
  return lookAtPlan(context, flags, async (tutti, chosen): Promise<Outcome> => {
    const found = await planStatus(tutti, chosen.plan, {
      changed: await changedTaskFiles(tutti, chosen),
      isGone: refuseGoneFiles(tutti, chosen.plan) !== null,
      isDelivered: chosen.plan.phase === 'complete' && (await isDelivered(tutti, chosen.plan)),
    });
    if (flags.json) printJson(context, planStatusJson(found));
    else {
      const distrust = found.isUndriven
        ? (await import('../../../app/consent/needed-trust.ts')).conductorDistrust(context)
        : null;
      printLines(context, planStatusLines(context, found, distrust));
    }
    return 'SUCCESS';
  });
}

/** Asks git, which is loaded for a plan that is complete only. */
async function isDelivered(tutti: OpenedProject, plan: PlanRecord): Promise<boolean> {
  const { seesPlanDelivered } = await import('../../../app/plans/delivered.ts');
  return seesPlanDelivered(tutti, plan);
}
