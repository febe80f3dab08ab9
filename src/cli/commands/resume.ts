import type { Outcome } from '../../model/outcome.ts';
import { type FoundPlan, projectOfPlan, unknownPlan } from '../../app/plans/find-plan.ts';
import { executedPlan } from '../../app/plans/state/halt-run.ts';
import { clearHalt } from '../../app/plans/state/clear-halt.ts';
import { planToResume, runToResume } from '../../app/plans/state/resume-choice.ts';
import { refusal } from '../../app/refusal.ts';
import { resumeRun, type Resumed } from '../../app/runs/control.ts';
import { commandOn } from '../../app/runs/run-holder.ts';
import { isDriven } from '../../app/status/living-holder.ts';
import type { Tutti } from '../../app/tutti.ts';
import { firstFew } from '../../lib/first-few.ts';
import { admit, lookInto } from '../admit.ts';
import type { TrustFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { drive, type DriveFlags, sayElsewhere } from '../drive.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { chosenRun, withProject } from '../project.ts';
import { sayLand } from '../say-land.ts';

export interface ResumeFlags extends DriveFlags, TrustFlag {
  readonly step?: readonly string[];
  readonly refresh: boolean;
  readonly clearOnly: boolean;
}

export async function resume(flags: ResumeFlags, context: Context, name?: string): Promise<Outcome> {
  const place = { ...context, folder: projectOfPlan(context) };
  const target = lookInto(place, (tutti) => planToResume(tutti, name)?.plan.targetDir);
  const admitted = flags.clearOnly ? null : await admit(place, flags, { target });
  if (admitted?.ok === false) return fail(context, admitted.error, flags.json);
  return withProject(place, flags, async (tutti) => {
    const found = planToResume(tutti, name);
    if (found !== null) return resumePlan(flags, context, tutti, found, name);
    if (flags.clearOnly) {
      const none = refusal('USAGE', 'no plan is halted', 'see which there are: tutti plan list');
      return fail(context, name === undefined ? none : unknownPlan(tutti, name), flags.json);
    }
    return resumeOne(flags, context, tutti, name);
  });
}

/** The halt is over; what drove the plan goes on, unless agents conduct it themselves. */
async function resumePlan(
  flags: ResumeFlags,
  context: Context,
  tutti: Tutti,
  found: FoundPlan,
  name: string | undefined,
): Promise<Outcome> {
  const { json, clearOnly } = flags;
  const plan = found.plan.name;
  const cleared = await clearHalt(tutti, found);
  if (!cleared.ok) return fail(context, cleared.error, json);
  const run = name !== undefined && tutti.queries.run(name) !== null ? name : runToResume(tutti, plan);
  const state = run === null ? undefined : tutti.queries.run(run)?.state;
  // A named plan that is not halted means its run, even a failed one. So does a run that a person stopped while it halted.
  const isMeant = run === name || (name !== undefined && !cleared.value);
  const isOpen = state?.at !== 'ended' || state.outcome === 'INTERRUPTED';
  const goesOn = run !== null && state !== undefined && (isMeant || isOpen);
  // The command that let the plan halt carries on by itself.
  const holder = cleared.value && run !== null && state?.at === 'running' ? commandOn(tutti, run) : null;
  if (holder !== null && run !== null && !clearOnly)
    return sayElsewhere(context, { runId: run, json }, holder);
  if (goesOn && !clearOnly) return resumeOne(flags, context, tutti, run);
  if (json) printJson(context, { plan, cleared: cleared.value });
  else
    printLines(context, [cleared.value ? `plan ${plan} is no longer halted` : `plan ${plan} was not halted`]);
  return 'SUCCESS';
}

async function resumeOne(
  { json, detach, refresh, step = [] }: ResumeFlags,
  context: Context,
  tutti: Tutti,
  runId: string | undefined,
): Promise<Outcome> {
  const run = chosenRun(tutti, runId);
  if (!run.ok) return fail(context, run.error, json);
  const after = tutti.queries.lastSeq(run.value.id);
  const resumed = await resumeRun(tutti, run.value.id, step, { refresh, detach });
  if (!resumed.ok) return fail(context, resumed.error, json);
  const holder = commandOn(tutti, run.value.id);
  if (holder !== null) return sayElsewhere(context, { runId: run.value.id, json }, holder);
  const { note } = resumed.value;
  if (!json && !isDriven(tutti, run.value.id))
    printLines(context, [sentenceOf(resumed.value), ...(note === null ? [] : [note])]);
  const outcome = await drive(context, tutti, { runId: run.value.id, after, detach, json });
  const plan = executedPlan(tutti, run.value.id);
  if (outcome === 'SUCCESS' && !detach && plan !== undefined) await sayLand(context, tutti, plan, json);
  return outcome;
}

function sentenceOf(resumed: Resumed): string {
  if (resumed.how === 'reopened' && resumed.steps.length > 0) {
    return `run ${resumed.runId} continues; again: ${firstFew(resumed.steps, 10)}`;
  }
  return `run ${resumed.runId} continues; finished steps are kept`;
}
