import { findParked } from '../../../app/plans/agent-led/parked-tasks.ts';
import { requiredTask } from '../../../app/plans/agent-led/required-task.ts';
import { taskJson } from '../../../app/plans/agent-led/task-json.ts';
import { isTaskEdited } from '../../../app/plans/changed-tasks.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { planFlags } from '../../plan-flags.ts';
import { type PlanFlags, readPlan } from '../../read-plan.ts';
import { printJson, printLines } from '../../print.ts';
import { taskLines } from '../../render/task-lines.ts';
import { oneTask } from './group.ts';

export const command = defineCommand<PlanFlags, [id: string]>({
  reads: true,
  parameters: { flags: planFlags, positional: oneTask },
  about: 'With --json, also prints its definition.',
  examples: [['tutti task show T001', 'show one task']],
  run: show,
});

function show(flags: PlanFlags, context: Context, id: string): Promise<Outcome> {
  return readPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const { plan } = found;
    const row = await requiredTask(tutti, plan.name, id);
    if (!row.ok) return fail(context, row.error, flags.json);
    const needs = (await tutti.queries.plans.node(plan.name, id))?.needs ?? [];
    const nodes = (await tutti.queries.plans.nodes(plan.name)).filter((node) => node.id === id);
    const parked = (await findParked(tutti, plan.name, nodes))[0]?.reason ?? null;
    const edited = await isTaskEdited(found, row.value.task);
    const shown = { plan: plan.name, row: row.value, needs, parked, edited };
    if (flags.json) printJson(context, taskJson(shown));
    else printLines(context, taskLines(shown));
    return 'SUCCESS';
  });
}
