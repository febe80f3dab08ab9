import type { FoundPlan } from '../../../app/plans/find-plan.ts';
import { planStatus, type PlanStatus } from '../../../app/plans/agent-led/plan-status.ts';
import type { Refusal } from '../../../app/refusal.ts';
import type { Tutti } from '../../../app/tutti.ts';
import type { Result } from '../../../lib/result.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';

export const examples = [
  ['tutti checkpoint create T001 T002', 'record two tasks before starting their agents'],
  ['tutti checkpoint update T001 success', 'record that a task succeeded'],
  ['tutti checkpoint complete', 'close the checkpoint when all tasks have ended'],
  ['tutti checkpoint recover', 'find orphaned tasks after a crash'],
] as const;

export function changeCheckpoint(
  flags: PlanFlags,
  context: Context,
  change: (tutti: Tutti, found: FoundPlan) => Promise<Result<PlanRecord, Refusal>>,
): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const next = await change(tutti, found);
    if (!next.ok) return fail(context, next.error, flags.json);
    await printCheckpoint(context, tutti, next.value, flags.json);
    return 'SUCCESS';
  });
}

export async function printCheckpoint(
  context: Context,
  tutti: Tutti,
  plan: PlanRecord,
  json: boolean,
): Promise<void> {
  const { marks } = await planStatus(tutti, plan);
  if (json)
    printJson<Output<'checkpoint'>>(context, { plan: plan.name, checkpoint: checkpointJson(plan, marks) });
  else printLines(context, checkpointLines(plan, marks));
}

type Marks = PlanStatus['marks'];

export function checkpointJson({ checkpoint }: PlanRecord, tasks: Marks): Output<'checkpoint'>['checkpoint'] {
  if (checkpoint === null) return null;
  const { status: at, createdAt } = checkpoint;
  return { status: at, created_at: new Date(createdAt).toISOString(), tasks };
}

function checkpointLines({ name, checkpoint }: PlanRecord, marks: Marks): readonly string[] {
  if (checkpoint === null) return [`plan ${name} has no checkpoint`];
  return [
    `checkpoint of plan ${name}: ${checkpoint.status}`,
    ...Object.entries(marks).map(([id, mark]) => `  ${id}  ${mark}`),
  ];
}
