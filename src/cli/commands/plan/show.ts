import { planOutlook } from '../../../app/plans/outlook.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { lookAtPlan, type PlanFlags } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { mermaidText, outlookJson, outlookLines } from '../../render/plan-outlook.ts';
import { painter } from '../../render/style.ts';

export interface ShowFlags extends PlanFlags {
  readonly mermaid: boolean;
}

export function show(flags: ShowFlags, context: Context): Promise<Outcome> {
  return lookAtPlan(context, flags, async (tutti, found) => {
    const outlook = await planOutlook(tutti, found);
    if (!outlook.ok) return fail(context, outlook.error, flags.json);
    if (flags.json) printJson(context, outlookJson(outlook.value));
    else if (flags.mermaid) printLines(context, mermaidText(outlook.value).trimEnd().split('\n'));
    else {
      const { screen } = context;
      const columns = screen.isTerminal ? screen.columns() : Number.POSITIVE_INFINITY;
      printLines(context, outlookLines(outlook.value, painter(screen.colour), columns));
    }
    return 'SUCCESS';
  });
}
