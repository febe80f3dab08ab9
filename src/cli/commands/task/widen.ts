import { widenTask } from '../../../app/plans/agent-led/widen-task.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { widenedPaths } from '../../../model/plan/task-row.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { planFlags } from '../../plan-flags.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';

export const command = defineCommand<PlanFlags, string[]>({
  reads: false,
  parameters: {
    flags: planFlags,
    positional: {
      kind: 'array',
      parameter: {
        parse: String,
        brief: 'The task, then the files to add',
        placeholder: 'ID FILE',
      },
      minimum: 2,
    },
  },
  usage: '<ID> <FILE>...',
  arguments: [
    ['ID', 'A task, such as T001'],
    ['FILE...', 'Files to add, relative to the target directory'],
  ],
  about:
    'Applies to an agent-led task in progress. Requires a person; Tutti refuses agents unless you\n' +
    'delegate it: `tutti allow widen`. The approved definition does not change; Tutti records the added\n' +
    'files with this attempt.',
  examples: [['tutti task widen T001 src/helper.js', 'add a file, then run tutti task complete T001 again']],
  run: widen,
});

function widen(
  flags: PlanFlags,
  context: Context,
  ...[id = '', ...files]: readonly string[]
): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const widened = await widenTask(tutti, found, id, files);
    if (!widened.ok) return fail(context, widened.error, flags.json);
    const paths = widenedPaths(widened.value);
    if (flags.json)
      printJson<Output<'task-widen'>>(context, { task_id: id, status: 'running', widened: paths });
    else {
      printLines(context, [
        `${id}: may write ${paths.map((path) => oneLine(path)).join(', ')} too`,
        `  → claim it again: tutti task complete ${id}`,
      ]);
    }
    return 'SUCCESS';
  });
}
