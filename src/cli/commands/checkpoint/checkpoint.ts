import {
  clearPlanCheckpoint,
  completePlanCheckpoint,
  createPlanCheckpoint,
  recoverPlan,
  updatePlanCheckpoint,
} from '../../../app/plans/state/checkpoints.ts';
import { planStatus, type PlanStatus } from '../../../app/plans/state/plan-status.ts';
import type { FoundPlan } from '../../../app/plans/find-plan.ts';
import type { Refusal } from '../../../app/refusal.ts';
import type { Tutti } from '../../../app/tutti.ts';
import type { Result } from '../../../lib/result.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Acknowledged, Recovery } from '../../../model/plan/checkpoint.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import type { TaskState } from '../../../model/plan/task-state.ts';
import { isByPerson } from '../../../model/run.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';

export function create(flags: PlanFlags, context: Context, ...ids: readonly string[]): Promise<Outcome> {
  return changed(flags, context, (tutti, found) => createPlanCheckpoint(tutti, found, ids));
}

export function update(flags: PlanFlags, context: Context, id: string, said: Acknowledged): Promise<Outcome> {
  return changed(flags, context, (tutti, found) => updatePlanCheckpoint(tutti, found, id, said));
}

export function complete(flags: PlanFlags, context: Context): Promise<Outcome> {
  return changed(flags, context, completePlanCheckpoint);
}

export function clear(flags: PlanFlags, context: Context): Promise<Outcome> {
  return changed(flags, context, clearPlanCheckpoint);
}

export function status(flags: PlanFlags, context: Context): Promise<Outcome> {
  return withPlan(context, flags, (tutti, { plan }) => {
    print(context, tutti, plan, flags.json);
    return 'SUCCESS';
  });
}

export function recover(flags: PlanFlags, context: Context): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found) => {
    const recovered = await recoverPlan(tutti, found);
    if (!recovered.ok) return fail(context, recovered.error, flags.json);
    const { plan, acknowledged, orphans, alive, notStarted } = recovered.value;
    if (flags.json) {
      const commands = orphans.flatMap(choicesOf);
      const checkpoint = checkpointJson(plan, planStatus(tutti, plan).marks);
      printJson(context, {
        plan: plan.name,
        checkpoint,
        acknowledged,
        orphans,
        alive,
        not_started: notStarted,
        commands,
      });
    } else printLines(context, recoveryLines(tutti, recovered.value));
    return 'SUCCESS';
  });
}

function changed(
  flags: PlanFlags,
  context: Context,
  change: (tutti: Tutti, found: FoundPlan) => Promise<Result<PlanRecord, Refusal>>,
): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found) => {
    const next = await change(tutti, found);
    if (!next.ok) return fail(context, next.error, flags.json);
    print(context, tutti, next.value, flags.json);
    return 'SUCCESS';
  });
}

function print(context: Context, tutti: Tutti, plan: PlanRecord, json: boolean): void {
  const { marks } = planStatus(tutti, plan);
  if (json) printJson(context, { plan: plan.name, checkpoint: checkpointJson(plan, marks) });
  else printLines(context, checkpointLines(plan, marks));
}

type Marks = PlanStatus['marks'];

function checkpointJson({ checkpoint }: PlanRecord, tasks: Marks): object | null {
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

function recoveryLines(
  tutti: Tutti,
  { plan, acknowledged, orphans, alive, notStarted }: Recovery,
): readonly string[] {
  const lines = [
    ...Object.entries(acknowledged).map(([id, said]) => `${id} had ended: ${said}`),
    ...alive.flatMap((id) => aliveLines(id, tutti.queries.plans.task(plan.name, id)?.state)),
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

function indented(command: string): string {
  return `  → ${command}`;
}
