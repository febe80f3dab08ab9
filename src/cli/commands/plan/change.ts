import { advancePlan } from '../../../app/plans/state/advance-plan.ts';
import { checkArtifact, type LoadedTasks } from '../../../app/plans/state/check-artifact.ts';
import { decidePlan } from '../../../app/plans/state/decide-plan.ts';
import { requesterOf } from '../../../app/plans/state/requester.ts';
import { registerVerdict } from '../../../app/plans/state/say-of-plan.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { ArtifactName, PlanVerdict } from '../../../model/plan/plan-record.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { counted } from '../../render/counted.ts';

export function advance(flags: PlanFlags, context: Context): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found) => {
    const advanced = await advancePlan(tutti, found);
    if (!advanced.ok) return fail(context, advanced.error, flags.json);
    const { from, plan } = advanced.value;
    if (flags.json) printJson(context, { plan: plan.name, from, phase: plan.phase });
    else printLines(context, [`plan ${plan.name}: ${from} → ${plan.phase}`]);
    return 'SUCCESS';
  });
}

export function validate(flags: PlanFlags, context: Context, artifact: ArtifactName): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found) => {
    const checked = await checkArtifact(tutti, found, artifact);
    if (!checked.ok) return fail(context, checked.error, flags.json);
    const { plan, digest, tasks, recorded } = checked.value;
    if (flags.json) {
      printJson(context, { plan: plan.name, artifact, digest, phase: plan.phase, tasks, recorded });
    } else {
      printLines(context, [
        `${artifact} is valid (${digest})`,
        ...(recorded ? [] : ['  not recorded from inside a sandbox; Tutti looks at it again by itself']),
        ...(tasks === null ? [] : taskLines(tasks)),
        ...(plan.phase === found.plan.phase
          ? []
          : [`  → it is another one: the plan is back in phase ${plan.phase}`]),
      ]);
    }
    return 'SUCCESS';
  });
}

export function loadTasks(flags: PlanFlags, context: Context): Promise<Outcome> {
  return validate(flags, context, 'tasks');
}

function taskLines({ total, changed, removed, added }: LoadedTasks): readonly string[] {
  return [
    `${counted(total, 'task')} loaded, ${changed.length} of them new or changed, ${removed.length} removed`,
    ...added.map(({ before, after, file }) => `${after} comes after ${before}: both own ${oneLine(file)}`),
  ];
}

export interface VerdictFlags extends PlanFlags {
  readonly issues?: readonly string[];
}

export function validateTasks(
  flags: VerdictFlags,
  context: Context,
  verdict: PlanVerdict['verdict'],
  summary = '',
): Promise<Outcome> {
  const { json, issues = [] } = flags;
  return withPlan(context, flags, async (tutti, found) => {
    const { by } = requesterOf(tutti, undefined);
    const said = await registerVerdict(tutti, found, { verdict, summary, issues, by });
    if (!said.ok) return fail(context, said.error, json);
    const { name, phase } = said.value;
    if (json) printJson(context, { plan: name, phase, verdict, summary, issues });
    else {
      const next =
        verdict === 'BLOCKED' ? 'fix the tasks, then: tutti plan load-tasks' : 'tutti plan advance';
      printLines(context, [`plan ${name}: verdict ${verdict}`, `  → ${next}`]);
    }
    return 'SUCCESS';
  });
}

export interface DecideFlags extends PlanFlags {
  readonly reason?: string;
}

export function approve(flags: DecideFlags, context: Context): Promise<Outcome> {
  return decide('approved', flags, context);
}

export function refuse(flags: DecideFlags, context: Context): Promise<Outcome> {
  return decide('refused', flags, context);
}

function decide(said: 'approved' | 'refused', flags: DecideFlags, context: Context): Promise<Outcome> {
  const { json, reason = null } = flags;
  return withPlan(context, flags, async (tutti, found) => {
    const decided = await decidePlan(tutti, found, { said, reason, since: context.startedAt });
    if (!decided.ok) return fail(context, decided.error, json);
    const { name, phase } = decided.value;
    if (json) printJson(context, { plan: name, phase, said, reason });
    else
      printLines(context, [
        `plan ${name} is ${said}`,
        ...(said === 'approved' ? [`  → tutti execute --plan ${name}`] : []),
      ]);
    return 'SUCCESS';
  });
}
