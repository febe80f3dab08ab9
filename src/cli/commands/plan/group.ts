import type { FoundPlan } from '../../../app/plans/find-plan.ts';
import { planOutlook } from '../../../app/plans/outlook.ts';
import { decidePlan, refuseDecided } from '../../../app/plans/agent-led/decide-plan.ts';
import type { Refusal } from '../../../app/refusal.ts';
import type { Tutti } from '../../../app/tutti.ts';
import { ok, type Result } from '../../../lib/result.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { afterRefusal } from '../../../model/plan/objection.ts';
import { isAtLeast } from '../../../model/plan/phase.ts';
import { planRunId } from '../../../model/plan/task-row.ts';
import type { Output } from '../../../model/schemas/published.ts';
import { confirmed } from '../../confirm.ts';
import { alsoContinues } from '../../also-continues.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { approvedLines, approvedTasks } from '../../render/plan-outlook.ts';

export const examples = [
  ['tutti plan spec.md', 'turn a specification into approved tasks'],
  ['tutti plan show', 'show tasks, order and forecast'],
  ['tutti plan init . --spec spec.md', 'create an agent-led plan'],
  ['tutti plan status', 'show its state and the next command'],
  ['tutti plan validate capability_map', 'check the capability map'],
  ['tutti plan advance', 'move to the next phase'],
] as const;

export interface DecideFlags extends PlanFlags {
  readonly reason?: string;
}

export function decidePlanAs(
  said: 'approved' | 'refused',
  flags: DecideFlags,
  context: Context,
): Promise<Outcome> {
  const { json } = flags;
  const reason = flags.reason?.trim() || null;
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const agreed = said === 'approved' ? await showApproved(context, tutti, found, json) : ok<Agreed>({});
    if (!agreed.ok) return fail(context, agreed.error, json);
    if (agreed.value === null) {
      const late = await refuseDecided(tutti, found.plan.name, context.startedAt);
      if (late !== null) return fail(context, late, json);
      const { name } = found.plan;
      printLines(context, [
        `plan ${name} is neither approved nor refused`,
        `  → change it: tutti plan edit --plan ${name}; or refuse it: tutti plan refuse --reason TEXT --plan ${name}`,
      ]);
      return 'HUMAN_INPUT';
    }
    const { shown, tasks } = agreed.value;
    const since = context.startedAt;
    const decided = await decidePlan(tutti, found, {
      said,
      reason,
      since,
      ...(shown === undefined ? {} : { shown }),
    });
    if (!decided.ok) return fail(context, decided.error, json);
    const { name, phase } = decided.value;
    if (json) {
      const covered = tasks === undefined ? {} : { tasks };
      printJson<Output<'plan-decision'>>(context, {
        plan: name,
        phase,
        said,
        reason,
        ...covered,
        ...alsoContinues(tutti),
      });
    } else
      printLines(context, [
        `plan ${name} is ${said}`,
        `  → ${afterRefusal(decided.value) ?? `tutti execute --plan ${name}`}`,
      ]);
    return 'SUCCESS';
  });
}

interface Agreed {
  /** Digest of the tasks that were shown; absent: the run's question has shown them. */
  readonly shown?: string;
  readonly tasks?: Output<'plan-decision'>['tasks'];
}

/**
 * Shows what an approval covers. On a terminal the person is asked; null: they did not agree. In a script it is shown where no
 * question of a run has done so, because agents conducted the plan. Returns what of it may be approved by this.
 */
async function showApproved(
  context: Context,
  tutti: Tutti,
  found: FoundPlan,
  json: boolean,
): Promise<Result<Agreed | null, Refusal>> {
  const { screen, input } = context;
  const { name, phase, checked } = found.plan;
  const asks = screen.isTerminal && input.isTerminal && !json;
  const isByHand = (await tutti.queries.run(planRunId(name))) === null;
  // Whatever is not ready is refused without a look at its files.
  if ((!asks && !isByHand) || checked.tasks === undefined || !isAtLeast(phase, 'ready')) return ok({});
  const outlook = await planOutlook(tutti, found);
  if (!outlook.ok) return outlook;
  const columns = screen.isTerminal ? screen.columns() : Number.POSITIVE_INFINITY;
  if (!json) printLines(context, [...approvedLines(outlook.value, columns), '']);
  // Other files than those that were checked are refused, with the reason.
  if (outlook.value.changed !== null) return ok({});
  const agreed = asks
    ? await confirmed(context, { question: `Approve plan ${name} as it is shown?`, force: false, json })
    : ok(true);
  if (!agreed.ok) return agreed;
  return ok(agreed.value ? { shown: checked.tasks, tasks: approvedTasks(outlook.value) } : null);
}
