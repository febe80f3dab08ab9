import { type FoundPlan, projectOfPlan } from '../../app/plans/find-plan.ts';
import { haltChoice } from '../../app/plans/agent-led/halt-choice.ts';
import { haltPlan, runsOf } from '../../app/plans/agent-led/halt-plan.ts';
import { haltRunOrPlan } from '../../app/plans/agent-led/halt-run.ts';
import { findRunning } from '../../app/plans/agent-led/parked-tasks.ts';
import { continueHint } from '../../app/recovery/lost-plan.ts';
import { advanceRun } from '../../app/runs/advance-run.ts';
import { ensureConductor } from '../../app/runs/ensure-conductor.ts';
import { isAdvancing } from '../../app/status/living-holder.ts';
import type { Tutti } from '../../app/tutti.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Output } from '../../model/schemas/published.ts';
import { requiredRun } from '../arguments.ts';
import { alsoContinues } from '../also-continues.ts';
import type { Context } from '../context.ts';
import { defineCommand, reasonFlag } from '../define-command.ts';
import { fail } from '../fail.ts';
import { planFlags } from '../plan-flags.ts';
import type { PlanFlags } from '../plan-project.ts';
import { printJson, printLines } from '../print.ts';
import { withProject } from '../project.ts';

interface HaltFlags extends PlanFlags {
  readonly reason?: string;
}

export const command = defineCommand<HaltFlags, string[]>({
  reads: false,
  parameters: {
    flags: {
      reason: reasonFlag,
      ...planFlags,
    },
    positional: {
      kind: 'array',
      parameter: {
        ...requiredRun,
        brief: 'A run or a plan, then words of the reason',
      },
    },
  },
  usage: '[<RUN>] [<REASON>...]',
  arguments: [
    ['RUN', 'A run or a plan'],
    ['REASON', 'Reason, for the record'],
  ],
  about:
    '`tutti resume` continues the run. Without a name, halts the newest plan; a STOP file in the plan\n' +
    'directory does the same.',
  examples: [
    ['tutti halt nightly', 'halt a run'],
    ['tutti halt nightly --reason "disk is full"', 'halt it, with a reason'],
    ['tutti halt', 'halt the newest plan'],
  ],
  run: halt,
});

function halt(flags: HaltFlags, context: Context, ...words: readonly string[]): Promise<Outcome> {
  const { json, reason, plan } = flags;
  const folder = projectOfPlan({ ...context, plan });
  return withProject({ ...context, folder }, { json, detach: true }, async (tutti) => {
    const choice = await haltChoice(tutti, { words, plan, reason });
    if (!choice.ok) return fail(context, choice.error, json);
    const { value } = choice;
    return value.what === 'run'
      ? haltOneRun(context, tutti, value.run, value.reason, json)
      : haltOnePlan(context, tutti, value.found, value.reason, json);
  });
}

async function haltOneRun(
  context: Context,
  tutti: Tutti,
  runId: string,
  reason: string,
  json: boolean,
): Promise<Outcome> {
  const halted = await haltRunOrPlan(tutti, runId, reason);
  if (!halted.ok) return fail(context, halted.error, json);
  const state = halted.value === 'halted' ? 'halted' : await settle(tutti, runId);
  if (json) printJson(context, { run_id: runId, state, ...alsoContinues(tutti) });
  else printLines(context, [sentences[state](runId), `  → ${await continueHint(tutti, runId)}`]);
  return 'SUCCESS';
}

const sentences = {
  halted: (runId: string) => `run ${runId} is halted`,
  halting: (runId: string) => `run ${runId} is halting: what is under way finishes, nothing new starts`,
};

/** With nobody advancing it, somebody has to see what is under way to its end: at once if nothing is. */
async function settle(
  tutti: Tutti,
  runId: string,
  halted: readonly string[] = [runId],
): Promise<'halted' | 'halting'> {
  if (await isAdvancing(tutti, runId)) return 'halting';
  if ((await tutti.queries.entries(runId)).some(({ state }) => state.at === 'launched')) {
    await ensureConductor(tutti, halted);
    return 'halting';
  }
  await advanceRun(tutti, { runId, stay: false });
  return (await tutti.queries.run(runId))?.state.at === 'halted' ? 'halted' : 'halting';
}

async function haltOnePlan(
  context: Context,
  tutti: Tutti,
  found: FoundPlan,
  reason: string,
  json: boolean,
): Promise<Outcome> {
  const { name } = found.plan;
  const halted = await haltPlan(tutti, found, reason);
  if (!halted.ok) return fail(context, halted.error, json);
  const runs = await runsOf(tutti, name);
  for (const run of runs) await settle(tutti, run, runs);
  const running = await findRunning(tutti, name);
  if (json) {
    const state = running.length === 0 ? 'halted' : 'halting';
    printJson<Output<'plan-halt'>>(context, {
      plan: name,
      state,
      reason: halted.value.halt?.reason ?? reason,
      running,
      ...alsoContinues(tutti),
    });
  } else {
    printLines(context, [
      running.length === 0
        ? `plan ${name} is halted: nothing new starts`
        : `plan ${name} is halting: ${running.join(', ')} may finish, nothing new starts`,
      `  → continue: tutti resume ${name}`,
    ]);
  }
  return 'SUCCESS';
}
