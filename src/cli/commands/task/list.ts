import { listTasks } from '../../../app/plans/agent-led/list-tasks.ts';
import { taskRowJson } from '../../../app/plans/agent-led/task-json.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { oneOf } from '../../parsers.ts';
import { planFlags } from '../../plan-flags.ts';
import { lookAtPlan, type PlanFlags } from '../../read-plan.ts';
import { printJson, printLines } from '../../print.ts';
import { taskListLines } from '../../render/task-lines.ts';

interface ListFlags extends PlanFlags {
  readonly status?: string;
}

const statuses = ['ready', 'waiting', 'blocked', 'running', 'parked', 'done', 'failed', 'skipped'] as const;

export const command = defineCommand<ListFlags, []>({
  reads: true,
  parameters: {
    flags: {
      status: {
        kind: 'parsed',
        parse: oneOf(statuses),
        brief: `Only tasks in this state: ${statuses.join(', ')}`,
        placeholder: 'STATUS',
        optional: true,
        proposeCompletions: (partial) => statuses.filter((status) => status.startsWith(partial)),
      },
      ...planFlags,
    },
  },
  about: 'A task that depends on a failed or skipped task is blocked; the list shows the reason.',
  examples: [
    ['tutti task list', 'list all tasks'],
    ['tutti task list --status blocked', 'list blocked tasks and their reasons'],
  ],
  run: list,
});

function list(flags: ListFlags, context: Context): Promise<Outcome> {
  return lookAtPlan(context, flags, async (tutti, { plan }): Promise<Outcome> => {
    const rows = (await listTasks(tutti, plan)).filter(({ status }) => status === (flags.status ?? status));
    if (flags.json) for (const row of rows) printJson(context, taskRowJson(row.node, row.status));
    else printLines(context, taskListLines(rows));
    return 'SUCCESS';
  });
}
