import { failTask } from '../../../app/plans/agent-led/fail-task.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { errorCategories, type ErrorCategory } from '../../../model/plan/task-state.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand, switchFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { oneOf } from '../../parsers.ts';
import { planFlags, taskArgument } from '../../plan-flags.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { counted } from '../../../lib/counted.ts';

interface FailFlags extends PlanFlags {
  readonly category: ErrorCategory;
  readonly retryable: boolean;
}

export const command = defineCommand<FailFlags, [id: string, message: string]>({
  reads: false,
  parameters: {
    flags: {
      category: {
        kind: 'parsed',
        parse: oneOf(errorCategories),
        brief: errorCategories.join(', '),
        placeholder: 'CATEGORY',
        default: 'runtime',
        proposeCompletions: (partial) => errorCategories.filter((category) => category.startsWith(partial)),
      },
      retryable: switchFlag('Another attempt may succeed'),
      ...planFlags,
    },
    positional: {
      kind: 'tuple',
      parameters: [taskArgument, { parse: String, brief: 'What went wrong', placeholder: 'MESSAGE' }],
    },
  },
  about:
    'Its files are put back as they were when it was started, what was done of it is kept in a git ref that is printed, and\n' +
    'the tasks that needed it are blocked. Nothing else in the directory is touched.',
  examples: [
    ['tutti task fail T001 "the parser has no grammar" --category dependency --retryable', 'and say why'],
  ],
  run: giveUp,
});

function giveUp(flags: FailFlags, context: Context, id: string, message: string): Promise<Outcome> {
  const { json, category, retryable } = flags;
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const ended = await failTask(tutti, found, id, { category, message, retryable });
    if (!ended.ok) return fail(context, ended.error, json);
    const { restored, rescue, look, blocked } = ended.value;
    if (json)
      printJson<Output<'task-fail'>>(context, { task_id: id, status: 'failed', restored, rescue, blocked });
    else {
      printLines(context, [
        `${id}: FAILED - ${message}`,
        ...(restored.length === 0 ? [] : [`  ${counted(restored.length, 'file')} put back`]),
        ...(rescue === null ? [] : [`  its work is kept in ${rescue}; see it: ${look}`]),
        ...(blocked.length === 0 ? [] : [`  blocked now: ${blocked.join(', ')}`]),
        `  → after you fixed the cause: tutti task retry ${id}`,
      ]);
    }
    return 'SUCCESS';
  });
}
