import { planRunId } from '../../../model/plan/task-row.ts';
import {
  editHint,
  editTasks,
  refuseUneditable,
  takeTaskFiles,
  verifyEditsHint,
} from '../../../app/plans/edit-plan.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { notExecutable } from '../../../model/plan/plan-record.ts';
import type { Output } from '../../../model/schemas/published.ts';
import { alsoContinues } from '../../also-continues.ts';
import type { Context } from '../../context.ts';
import { defineCommand, switchFlag } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { planFlags, taskArgument } from '../../plan-flags.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { counted } from '../../../lib/counted.ts';

interface EditFlags extends PlanFlags {
  /** They are edited already. */
  readonly taken: boolean;
}

export const command = defineCommand<EditFlags, string[]>({
  reads: false,
  parameters: {
    flags: {
      taken: switchFlag('Load files that you have already edited; do not open an editor'),
      ...planFlags,
    },
    positional: { kind: 'array', parameter: taskArgument },
  },
  usage: '[<ID>...]',
  about:
    'Opens the task files in VISUAL or EDITOR on a terminal, then checks and loads them. An edited plan\n' +
    'must be approved again. While Tutti is planning, only a person may edit tasks.',
  examples: [
    ['tutti plan edit T003', 'edit one task'],
    ['tutti plan edit --taken', 'load files that you have edited'],
  ],
  run: edit,
});

/** Tasks in an editor, then checked; what is finished and still the same work stays finished. */
function edit(flags: EditFlags, context: Context, ...ids: readonly string[]): Promise<Outcome> {
  const { json, taken } = flags;
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const unknown = await refuseUneditable(tutti, found, ids);
    if (unknown !== null) return fail(context, unknown, json);
    const opens = !taken && !json && context.input.isTerminal;
    if (opens) {
      const edited = await editTasks(tutti, found, ids);
      if (!edited.ok) return fail(context, edited.error, json);
    }
    const checked = await takeTaskFiles(tutti, found);
    if (!checked.ok) return fail(context, checked.error, json);
    const { plan, tasks, waits } = checked.value;
    const [changed, removed] = [tasks?.changed ?? [], tasks?.removed ?? []];
    if (json)
      printJson<Output<'plan-edit'>>(context, {
        plan: plan.name,
        phase: plan.phase,
        changed,
        removed,
        run_waits: waits,
        ...alsoContinues(tutti),
      });
    else {
      const isSame = changed.length + removed.length === 0;
      const said = isSame
        ? 'no task changed since they were last loaded'
        : [...changed.map((id) => `${id} changed`), ...removed.map((id) => `${id} removed`)].join(', ');
      printLines(context, [
        `plan ${plan.name}: ${counted(tasks?.total ?? 0, 'task')}, ${said}`,
        ...(isSame && !opens && !taken
          ? [`  → no editor was opened, because this is no terminal; ${editHint(found)}`]
          : []),
        ...(waits ? [`  → its run verifies them and asks again: tutti status ${planRunId(plan.name)}`] : []),
        ...(waits || notExecutable(plan) === null ? [] : [`  → ${await verifyEditsHint(tutti, plan)}`]),
      ]);
    }
    return 'SUCCESS';
  });
}
