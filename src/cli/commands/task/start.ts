import { requesterOf } from '../../../app/plans/agent-led/requester.ts';
import { startTask } from '../../../app/plans/agent-led/start-task.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { planFlags } from '../../plan-flags.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { oneTask } from './group.ts';

interface StartFlags extends PlanFlags {
  readonly as?: string;
}

export const command = defineCommand<StartFlags, [id: string]>({
  reads: false,
  parameters: {
    flags: {
      as: {
        kind: 'parsed',
        parse: String,
        brief: 'Name that claims the task; the same name can claim it again',
        placeholder: 'NAME',
        optional: true,
      },
      ...planFlags,
    },
    positional: oneTask,
  },
  about:
    'Saves the state of the target directory, so that `task fail` can restore it. Refuses if the plan is\n' +
    'halted or not approved, a dependency is not done, or another agent has claimed the task. Only one\n' +
    'concurrent caller can claim it.',
  examples: [['tutti task start T001', 'claim the task']],
  run: start,
});

function start(flags: StartFlags, context: Context, id: string): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const begun = await startTask(tutti, found, id, await requesterOf(tutti, flags.as));
    if (!begun.ok) return fail(context, begun.error, flags.json);
    const { state } = begun.value;
    if (state.at !== 'running') throw new Error(`task ${id} is ${state.at} after it was started`);
    const { attempt, by, snapshot } = state;
    if (flags.json)
      printJson<Output<'task-start'>>(context, { task_id: id, status: 'running', attempt, by, snapshot });
    else {
      printLines(context, [
        `${id}: started by ${by}, attempt ${attempt}`,
        `  → when it is done: tutti task complete ${id} --created FILE… --modified FILE…`,
      ]);
    }
    return 'SUCCESS';
  });
}
