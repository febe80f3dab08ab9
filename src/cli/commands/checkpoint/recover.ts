import { recoverPlan } from '../../../app/plans/agent-led/checkpoints.ts';
import { planStatus } from '../../../app/plans/agent-led/plan-status.ts';
import type { Tutti } from '../../../app/tutti.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Recovery } from '../../../model/plan/checkpoint.ts';
import type { TaskState } from '../../../model/plan/task-state.ts';
import { isByPerson } from '../../../model/run.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { planFlags } from '../../plan-flags.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { checkpointJson } from './group.ts';

export const command = defineCommand<PlanFlags, []>({
  reads: false,
  parameters: { flags: planFlags },
  about:
    'Records tasks that have ended since the crash. Lists tasks that are marked as running but have no\n' +
    'process, with the commands that fix each one. Tasks of live sessions and runs do not change.',
  examples: [['tutti checkpoint recover', 'find orphaned tasks after a crash']],
  run: recover,
});

function recover(flags: PlanFlags, context: Context): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const recovered = await recoverPlan(tutti, found);
    if (!recovered.ok) return fail(context, recovered.error, flags.json);
    const { plan, acknowledged, orphans, alive, notStarted } = recovered.value;
    if (flags.json) {
      const commands = orphans.flatMap(choicesOf);
      const checkpoint = checkpointJson(plan, (await planStatus(tutti, plan)).marks);
      printJson<Output<'checkpoint-recover'>>(context, {
        plan: plan.name,
        checkpoint,
        acknowledged,
        orphans,
        alive,
        not_started: notStarted,
        commands,
      });
    } else printLines(context, await recoveryLines(tutti, recovered.value));
    return 'SUCCESS';
  });
}

async function recoveryLines(
  tutti: Tutti,
  { plan, acknowledged, orphans, alive, notStarted }: Recovery,
): Promise<readonly string[]> {
  const lines = [
    ...Object.entries(acknowledged).map(([id, said]) => `${id} had ended: ${said}`),
    ...(
      await Promise.all(
        alive.map(async (id) => aliveLines(id, (await tutti.queries.plans.task(plan.name, id))?.state)),
      )
    ).flat(),
    ...notStarted.map((id) => `${id} was never started`),
    ...orphans.flatMap((id) => [
      `${id} is orphaned: no process works on it any more`,
      ...choicesOf(id).map(indented),
    ]),
  ];
  return lines.length === 0 ? [`plan ${plan.name}: there is nothing to recover`] : lines;
}

/** Whether a person still works on what they began by hand is for them to say. */
function aliveLines(id: string, state: TaskState | undefined): readonly string[] {
  if (state?.at !== 'running' || !isByPerson(state.by)) return [`${id} is still being worked on`];
  return [
    `${id} was begun by hand by ${oneLine(state.by)}`,
    indented(`when it is done: tutti task complete ${id}; to give it up: tutti task retry ${id} --force`),
  ];
}

/** Its work is put aside either way. */
function choicesOf(id: string): readonly string[] {
  return [`tutti task retry ${id}`, `tutti task skip ${id}`];
}

function indented(text: string): string {
  return `  → ${text}`;
}
