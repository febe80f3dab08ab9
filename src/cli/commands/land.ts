import { deliverPlan } from '../../app/plans/deliver-plan.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Context } from '../context.ts';
import { fail } from '../fail.ts';
import { type PlanFlags, withPlan } from '../plan-project.ts';
import { printJson, printLines } from '../print.ts';
import { counted } from '../render/counted.ts';

export interface LandFlags extends PlanFlags {
  readonly into?: string;
}

export function land(flags: LandFlags, context: Context): Promise<Outcome> {
  const { json, into } = flags;
  return withPlan(context, flags, async (tutti, found) => {
    const delivered = await deliverPlan(tutti, found, into);
    if (!delivered.ok) return fail(context, delivered.error, json);
    const { delivery, done, total } = delivered.value;
    const { name, targetDir } = found.plan;
    if (json) {
      printJson(context, { plan: name, target_dir: targetDir, done, tasks: total, ...delivery });
      return 'SUCCESS';
    }
    const what =
      delivery.at === 'nothing'
        ? `${targetDir} has everything that landed already`
        : `${counted(delivery.files, 'file')} of plan ${name} are in ${targetDir} (${delivery.commit.slice(0, 12)})`;
    const rest =
      done < total
        ? [`  → ${total - done} of ${counted(total, 'task')} are not done: tutti execute --plan ${name}`]
        : [];
    printLines(context, [what, ...rest]);
    return 'SUCCESS';
  });
}
