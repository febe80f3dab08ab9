import { findLostPlans, planAgainHint } from '../../../app/recovery/lost-plan.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand, jsonFlag, type JsonFlag } from '../../define-command.ts';
import { lookAtPlans } from '../../read-plan.ts';
import { printJson, printLines } from '../../print.ts';
import { planListLines } from '../../render/plan-status.ts';

export const command = defineCommand<JsonFlag, []>({
  reads: true,
  parameters: { flags: { json: jsonFlag } },
  about: 'Lists the most recently changed plan first.',
  examples: [['tutti plan list', 'list all plans']],
  run: list,
});

function list(flags: JsonFlag, context: Context): Promise<Outcome> {
  return lookAtPlans(context, flags, async (tutti): Promise<Outcome> => {
    const { queries } = tutti;
    const plans = await Promise.all(
      (await queries.plans.all()).map(async (plan) => {
        const counts = await queries.plans.counts(plan.name);
        const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
        return { plan, total, done: counts.done ?? 0 };
      }),
    );
    if (!flags.json) {
      const lines = [...planListLines(plans), ...(await findLostPlans(tutti)).flatMap(lostLines)];
      printLines(context, lines.length === 0 ? ['no plans yet; start one: tutti plan SPEC'] : lines);
    } else {
      for (const { plan, total, done } of plans) {
        printJson<Output<'plan-row'>>(context, {
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
