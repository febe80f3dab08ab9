import { boardOfNodes } from '../../../app/plans/agent-led/plan-status.ts';
import { taskRowJson } from '../../../app/plans/agent-led/task-json.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import { type PlanFlags, readPlan } from '../../read-plan.ts';
import { printJson, printLines } from '../../print.ts';

export const command = defineCommand<PlanFlags, []>({
  reads: true,
  parameters: { flags: planFlags },
  about: 'Prints one line per task, `ID: NAME`, or nothing if no task can start.',
  examples: [
    ['tutti task ready', 'list tasks that can start'],
    ['tutti task ready | head -3 | cut -d: -f1', 'print the ids of the first three'],
  ],
  run: ready,
});

/** Most critical first. Empty is no failure: whoever loops over it ends. */
function ready(flags: PlanFlags, context: Context): Promise<Outcome> {
  return readPlan(context, flags, async ({ queries }, { plan }): Promise<Outcome> => {
    const nodes = await queries.plans.nodes(plan.name);
    const byId = new Map(nodes.map((node) => [node.id, node]));
    for (const id of boardOfNodes(nodes).ready) {
      const node = byId.get(id);
      if (node === undefined) continue;
      if (flags.json) printJson(context, taskRowJson(node, 'ready'));
      else printLines(context, [`${id}: ${oneLine(node.name)}`]);
    }
    return 'SUCCESS';
  });
}
