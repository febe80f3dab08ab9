import { listTasks } from '../../../app/plans/state/list-tasks.ts';
import { boardOfNodes } from '../../../app/plans/state/plan-status.ts';
import { requiredTask } from '../../../app/plans/state/required-task.ts';
import { findParked } from '../../../app/plans/state/parked-tasks.ts';
import { taskJson, taskRowJson } from '../../../app/plans/state/task-json.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { lookAtPlan, type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { taskLines, taskListLine } from '../../render/task-lines.ts';

/** Most critical first. Empty is no failure: whoever loops over it ends. */
export function ready(flags: PlanFlags, context: Context): Promise<Outcome> {
  return withPlan(context, flags, ({ queries }, { plan }) => {
    const nodes = queries.plans.nodes(plan.name);
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

export interface ListFlags extends PlanFlags {
  readonly status?: string;
}

export function list(flags: ListFlags, context: Context): Promise<Outcome> {
  return lookAtPlan(context, flags, (tutti, { plan }) => {
    const rows = listTasks(tutti, plan).filter(({ status }) => status === (flags.status ?? status));
    for (const row of rows) {
      if (flags.json) printJson(context, taskRowJson(row.node, row.status));
      else printLines(context, [taskListLine(row)]);
    }
    return 'SUCCESS';
  });
}

export function show(flags: PlanFlags, context: Context, id: string): Promise<Outcome> {
  return withPlan(context, flags, (tutti, { plan }) => {
    const row = requiredTask(tutti, plan.name, id);
    if (!row.ok) return fail(context, row.error, flags.json);
    const needs = tutti.queries.plans.node(plan.name, id)?.needs ?? [];
    const nodes = tutti.queries.plans.nodes(plan.name).filter((node) => node.id === id);
    const parked = findParked(tutti, plan.name, nodes)[0]?.reason ?? null;
    const shown = { row: row.value, needs, parked };
    if (flags.json) printJson(context, taskJson(shown));
    else printLines(context, taskLines(shown));
    return 'SUCCESS';
  });
}
