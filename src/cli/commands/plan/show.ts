import { loadTasks } from '../../../app/plan-files/load-tasks.ts';
import { planOutlook } from '../../../app/plans/outlook.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand, switchFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { planFlags } from '../../plan-flags.ts';
import { type PlanFlags, withPlanIfAny } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { mermaidText, outlookJson, outlookLines, unruledLines } from '../../render/plan-outlook.ts';
import { painter } from '../../render/style.ts';

interface ShowFlags extends PlanFlags {
  readonly mermaid: boolean;
}

export const command = defineCommand<ShowFlags, []>({
  reads: true,
  parameters: {
    flags: { mermaid: switchFlag('Print only the task graph, as Mermaid'), ...planFlags },
  },
  about: 'Forecasts tokens and cost from earlier turns of the same agents, if there are any.',
  examples: [
    ['tutti plan show', 'review it before you approve it'],
    ['tutti plan show --mermaid > plan.mmd', 'write the graph to a file'],
  ],
  run: show,
});

function show(flags: ShowFlags, context: Context): Promise<Outcome> {
  return withPlanIfAny(context, flags, async (tutti, found): Promise<Outcome> => {
    const outlook = await planOutlook(tutti, found);
    const { screen } = context;
    const columns = screen.isTerminal ? screen.columns() : Number.POSITIVE_INFINITY;
    if (!outlook.ok) {
      // What breaks a rule is shown too: without it, the rule alone says little.
      const tasks = loadTasks(found.paths.dir);
      if (tasks.ok && !flags.json && !flags.mermaid)
        printLines(context, unruledLines(found.plan, tasks.value.tasks, painter(screen.colour), columns));
      return fail(context, outlook.error, flags.json);
    }
    if (flags.json) printJson(context, outlookJson(outlook.value));
    else if (flags.mermaid) printLines(context, mermaidText(outlook.value).trimEnd().split('\n'));
    else printLines(context, outlookLines(outlook.value, painter(screen.colour), columns));
    return 'SUCCESS';
  });
}
