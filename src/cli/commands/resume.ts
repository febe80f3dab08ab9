import { permitDecision } from '../../app/people/decide.ts';
import { decideToContinue, decideToContinuePlan } from '../../app/people/decide-continuing.ts';
import { identifyCaller } from '../../app/people/identify-caller.ts';
import { faultOfEditedTasks } from '../../app/plan-record/edited-tasks.ts';
import { findHalt } from '../../app/plan-record/find-halt.ts';
import { faultOfRefusedPlan } from '../../app/plan-record/refused-plan.ts';
import { type FoundPlan, projectOfPlan, unknownPlan } from '../../app/plans/find-plan.ts';
import { clearHalt } from '../../app/plans/agent-led/clear-halt.ts';
import { executedPlan } from '../../app/plans/agent-led/halt-run.ts';
import { planToResume, runToResume } from '../../app/plans/agent-led/resume-choice.ts';
import { refusal, type Refusal } from '../../app/refusal.ts';
import { type Resumed, resumeRun } from '../../app/runs/control.ts';
import { commandOn } from '../../app/runs/run-holder.ts';
import { isAdvancing } from '../../app/status/living-holder.ts';
import type { Tutti } from '../../app/tutti.ts';
import { firstFew } from '../../lib/first-few.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Output } from '../../model/schemas/published.ts';
import { admit } from '../admit.ts';
import { runArgument } from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineCommand, jsonFlag, switchFlag, trustFlag, type TrustFlag } from '../define-command.ts';
import { advance, type AdvanceFlags, sayElsewhere } from '../advance.ts';
import { fail } from '../fail.ts';
import { printJson, printLines } from '../print.ts';
import { lookInto, chosenRun, withProject } from '../project.ts';
import { sayLand } from '../say-land.ts';

interface ResumeFlags extends AdvanceFlags, TrustFlag {
  readonly step?: readonly string[];
  readonly refresh: boolean;
  readonly clearOnly: boolean;
}

export const command = defineCommand<ResumeFlags, [run?: string]>({
  reads: false,
  parameters: {
    flags: {
      step: {
        kind: 'parsed',
        parse: String,
        brief: 'Also run this step again, even if it succeeded (repeatable)',
        placeholder: 'ID',
        variadic: true,
        optional: true,
      },
      detach: switchFlag('Run in the background'),
      refresh: switchFlag('Reload agent files and drivers; finished turns of a changed agent run again'),
      clearOnly: switchFlag("Only clear a plan's halt; start nothing"),
      trust: trustFlag,
      json: jsonFlag,
    },
    positional: {
      kind: 'tuple',
      parameters: [{ ...runArgument, brief: 'A run or a plan; default: the halted plan or the newest run' }],
    },
  },
  about:
    'Finished steps keep their results; failed steps and those named with --step run again. For a plan,\n' +
    '`resume` first clears the halt and removes the STOP file.',
  examples: [
    ['tutti resume', 'continue the newest run'],
    ['tutti resume nightly --step build', 'run one step again'],
    ['tutti resume nightly --detach', 'continue in the background'],
  ],
  run: resume,
});

async function resume(flags: ResumeFlags, context: Context, name?: string): Promise<Outcome> {
  const place = { ...context, folder: projectOfPlan(context) };
  const target = await lookInto(place, async (tutti) => (await planToResume(tutti, name))?.plan.targetDir);
  const admitted = flags.clearOnly
    ? null
    : await admit(place, flags, { target, continues: true, refuse: () => refuseAgent(place, name) });
  if (admitted?.ok === false) return fail(context, admitted.error, flags.json);
  return withProject(place, flags, async (tutti) => {
    const found = await planToResume(tutti, name);
    if (found !== null) return resumePlan(flags, context, tutti, found, name);
    if (flags.clearOnly) {
      const none = refusal('USAGE', 'no plan is halted', 'see which there are: tutti plan list');
      return fail(context, name === undefined ? none : await unknownPlan(tutti, name), flags.json);
    }
    return resumeOne(flags, context, tutti, name);
  });
}

/** Why an agent may not continue it: said before anything else that is wrong, of which it can change nothing. */
async function refuseAgent(context: Context, name: string | undefined): Promise<Refusal | null> {
  if (identifyCaller(context.caller).kind === 'person') return null;
  const decided = await lookInto(context, async (tutti) => {
    const found = await planToResume(tutti, name);
    if (found !== null && findHalt(found.plan, found.paths) !== null)
      return decideToContinuePlan(tutti, found.plan, permitDecision);
    const run = await chosenRun(tutti, name);
    return run.ok ? decideToContinue(tutti, run.value.id, permitDecision) : run;
  });
  return decided?.ok === false ? decided.error : null;
}

/** The halt is over; what advanced the plan goes on, unless agents conduct it themselves. */
async function resumePlan(
  flags: ResumeFlags,
  context: Context,
  tutti: Tutti,
  found: FoundPlan,
  name: string | undefined,
): Promise<Outcome> {
  const { json, clearOnly } = flags;
  const plan = found.plan.name;
  const run =
    name !== undefined && (await tutti.queries.run(name)) !== null ? name : await runToResume(tutti, plan);
  const refused =
    clearOnly || run === null
      ? null
      : ((await faultOfRefusedPlan(tutti, run)) ?? (await faultOfEditedHalted(tutti, found, run)));
  // The halt of a plan that may not continue stays.
  if (refused !== null) return fail(context, refused, json);
  const cleared = await clearHalt(tutti, found);
  if (!cleared.ok) return fail(context, cleared.error, json);
  const state = run === null ? undefined : (await tutti.queries.run(run))?.state;
  // A named plan that is not halted means its run, even a failed one. So does a run that a person stopped while it halted.
  const isMeant = run === name || (name !== undefined && !cleared.value);
  const isOpen = state?.at !== 'ended' || state.outcome === 'INTERRUPTED';
  const goesOn = run !== null && state !== undefined && (isMeant || isOpen);
  // The command that let the plan halt carries on by itself.
  const holder =
    cleared.value && run !== null && state?.at === 'running' ? await commandOn(tutti, run) : null;
  if (holder !== null && run !== null && !clearOnly)
    return sayElsewhere(context, { runId: run, json }, holder);
  if (goesOn && !clearOnly) return resumeOne(flags, context, tutti, run);
  if (json) printJson<Output<'plan-resume'>>(context, { plan, cleared: cleared.value });
  else
    printLines(context, [cleared.value ? `plan ${plan} is no longer halted` : `plan ${plan} was not halted`]);
  return 'SUCCESS';
}

/** Of a plan that is not halted, the run itself is refused. */
async function faultOfEditedHalted(
  tutti: Tutti,
  { plan, paths }: FoundPlan,
  runId: string,
): Promise<Refusal | null> {
  return findHalt(plan, paths) === null ? null : faultOfEditedTasks(tutti, runId);
}

async function resumeOne(
  { json, detach, refresh, step = [] }: ResumeFlags,
  context: Context,
  tutti: Tutti,
  runId: string | undefined,
): Promise<Outcome> {
  const run = await chosenRun(tutti, runId);
  if (!run.ok) return fail(context, run.error, json);
  const after = await tutti.queries.lastSeq(run.value.id);
  const resumed = await resumeRun(tutti, run.value.id, step, { refresh, detach });
  if (!resumed.ok) {
    tutti.toldRuns.add(run.value.id);
    return fail(context, resumed.error, json);
  }
  const holder = await commandOn(tutti, run.value.id);
  if (holder !== null) return sayElsewhere(context, { runId: run.value.id, json }, holder);
  const { note, finishedStop } = resumed.value;
  if (!json && finishedStop)
    printLines(context, [`run ${run.value.id} was still being stopped: the stop is finished now`]);
  if (!json && !(await isAdvancing(tutti, run.value.id)))
    printLines(context, [sentenceOf(resumed.value), ...(note === null ? [] : [note])]);
  const outcome = await advance(context, tutti, { runId: run.value.id, after, detach, json });
  const plan = await executedPlan(tutti, run.value.id);
  if (outcome === 'SUCCESS' && !detach && plan !== undefined) await sayLand(context, tutti, plan, json);
  return outcome;
}

function sentenceOf(resumed: Resumed): string {
  if (resumed.how === 'reopened' && resumed.steps.length > 0) {
    return `run ${resumed.runId} continues; again: ${firstFew(resumed.steps, 10)}`;
  }
  return `run ${resumed.runId} continues; finished steps are kept`;
}
