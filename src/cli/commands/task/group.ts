import type { Reopened } from '../../../app/plans/agent-led/reopen-task.ts';
import type { Refusal } from '../../../app/refusal.ts';
import type { Result } from '../../../lib/result.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { switchFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { taskArgument } from '../../plan-flags.ts';
import type { PlanFlags } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';

export const oneTask = { kind: 'tuple', parameters: [taskArgument] } as const;

export const forceFlag = switchFlag("Release another agent's claim, unless a process is working on the task");

export const examples = [
  ['tutti task ready', 'list tasks that can start'],
  ['tutti task start T001', 'claim a task'],
  ['tutti task complete T001 --created src/a.js', 'submit it; the gates decide'],
  ['tutti task fail T001 "no grammar" --category dependency', 'mark it as failed and restore its files'],
] as const;

export interface ReopenFlags extends PlanFlags {
  readonly force: boolean;
}

export function reportReopened(
  context: Context,
  { json }: PlanFlags,
  id: string,
  status: 'pending' | 'skipped',
  result: Result<Reopened, Refusal>,
): Outcome {
  if (!result.ok) return fail(context, result.error, json);
  const { rescue, keptOn } = result.value;
  if (json) printJson<Output<'task-reopen'>>(context, { task_id: id, status, rescue });
  else {
    printLines(context, [
      `${id}: ${status === 'pending' ? 'can be started again' : 'is skipped'}`,
      ...(keptOn === null
        ? []
        : [`  it was done: its work stays on ${keptOn} and does not count before the task is done again`]),
      ...(rescue === null ? [] : [`  what was done of it is kept in ${rescue}`]),
    ]);
  }
  return 'SUCCESS';
}
