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
import { listWords } from '../../../lib/word-list.ts';

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
        brief: `Cause: ${listWords(errorCategories, 'or')}`,
        placeholder: 'CATEGORY',
        default: 'runtime',
        proposeCompletions: (partial) => errorCategories.filter((category) => category.startsWith(partial)),
      },
      retryable: switchFlag('Mark the failure as retryable'),
      ...planFlags,
    },
    positional: {
      kind: 'tuple',
      parameters: [taskArgument, { parse: String, brief: 'What went wrong', placeholder: 'MESSAGE' }],
    },
  },
  about:
    "Restores the task's files to their state at `task start`, saves the work in a git ref, prints the\n" +
    'ref, and blocks dependent tasks. Leaves all other files unchanged.',
  examples: [
    [
      'tutti task fail T001 "the parser has no grammar" --category dependency --retryable',
      'mark it as failed, with the reason',
    ],
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
