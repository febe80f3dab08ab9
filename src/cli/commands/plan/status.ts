import { changedTaskFiles } from '../../../app/plans/changed-tasks.ts';
import { seesPlanDelivered } from '../../../app/plans/delivered.ts';
import { planStatus } from '../../../app/plans/state/plan-status.ts';
import { planStatusJson } from '../../../app/plans/state/plan-status-json.ts';
import { findLostPlans, planAgainHint } from '../../../app/recovery/lost-plan.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { lookAtPlan, lookAtPlans, type PlanFlags } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { planLine, planStatusLines } from '../../render/plan-status.ts';

export function status(flags: PlanFlags, context: Context): Promise<Outcome> {
  return lookAtPlan(context, flags, async (tutti, chosen): Promise<Outcome> => {
    const found = planStatus(tutti, chosen.plan, {
      changed: changedTaskFiles(tutti, chosen),
      isDelivered: await seesPlanDelivered(tutti, chosen.plan),
    });
    if (flags.json) printJson(context, planStatusJson(found));
    else printLines(context, planStatusLines(context, found));
    return 'SUCCESS';
  });
}

export function list(flags: PlanFlags, context: Context): Promise<Outcome> {
  return lookAtPlans(context, flags, (tutti) => {
    const { queries } = tutti;
    const plans = queries.plans.all().map((plan) => {
      const counts = queries.plans.counts(plan.name);
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return { plan, total, done: counts.get('done') ?? 0 };
    });
    if (!flags.json) {
      const lines = [...plans.map(planLine), ...findLostPlans(tutti).flatMap(lostLines)];
      printLines(context, lines.length === 0 ? ['no plans yet; start one: tutti plan SPEC'] : lines);
    } else {
      for (const { plan, total, done } of plans) {
        printJson(context, {
          plan: plan.name,
          phase: plan.phase,
          target_dir: plan.targetDir,
          tasks: total,
          done,
          updated_at: new Date(plan.updatedAt).toISOString(),
        });
      }
    }
    return 'SUCCESS';
  });
}

function lostLines(plan: string): readonly string[] {
  return [`${plan}  its record is lost`, `  → ${planAgainHint(plan)}`];
}
