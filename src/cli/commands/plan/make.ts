import { resolve } from 'node:path';
import { lookForType } from '../../../app/discovery/look-at-project.ts';
import { isPlanDelivered } from '../../../app/plans/delivered.ts';
import { openApproval } from '../../../app/plans/open-approval.ts';
import type { SpecOrder, SpecSource } from '../../../app/plans/planning/spec-source.ts';
import { preparePlan, type StartedPlan, startPlan } from '../../../app/plans/planning/start-plan.ts';
import { neededOf, refuseUnusable } from '../../../app/plans/agent-led/task-target.ts';
import { planStatus } from '../../../app/plans/agent-led/plan-status.ts';
import { findProject } from '../../../app/project.ts';
import { refusal, type Refusal } from '../../../app/refusal.ts';
import { refuseRemovedPlan } from '../../../app/runs/start-run.ts';
import { locate, type Tutti } from '../../../app/tutti.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { admit } from '../../admit.ts';
import { confirmed } from '../../confirm.ts';
import { removedPlans } from '../../read-plan.ts';
import { type CeilingFlags, ceilingsOf } from '../../ceilings.ts';
import { planRunId } from '../../../model/plan/task-row.ts';
import type { Context } from '../../context.ts';
import { defineCommand, trustFlag, type TrustFlag } from '../../define-command.ts';
import { advance } from '../../advance.ts';
import { fail } from '../../fail.ts';
import { showPlan } from '../../show-plan.ts';
import { canAsk, sayWaiting } from '../../ask-person.ts';
import { ceilingFlags, detachFlag, planFlags, planningFlags, specArgument } from '../../plan-flags.ts';
import type { PlanFlags } from '../../plan-project.ts';
import { lookInto, withNewProject } from '../../project.ts';
import { checkoutLines } from '../../render/plan-outlook.ts';
import { sayFoundDriver } from '../../say-driver.ts';

export interface MakeFlags extends PlanFlags, CeilingFlags, TrustFlag {
  readonly target?: string;
  readonly new: boolean;
  readonly existing: boolean;
  readonly stack?: string;
  readonly yes: boolean;
  readonly refresh: boolean;
  readonly detach: boolean;
}

export const command = defineCommand<MakeFlags, [spec?: string]>({
  reads: false,
  parameters: {
    flags: { ...planningFlags, ...ceilingFlags, detach: detachFlag, trust: trustFlag, ...planFlags },
    positional: { kind: 'tuple', parameters: [specArgument] },
  },
  about:
    '`tutti plan SPEC` is short for `tutti plan make SPEC`. Agents write the tasks. Tutti and a\n' +
    'second agent check them, and a person approves them. Run the command again after a change: it plans\n' +
    'only the parts that the change affects.',
  examples: [
    ['tutti plan spec.md', 'plan a specification'],
    ['tutti plan spec.md --target app --new --stack "Python with FastAPI"', 'plan a new project in app'],
    ['tutti plan - < spec.md', 'read standard input'],
    ['tutti plan --plan shop', 'continue an existing plan'],
    ['tutti plan spec.md --yes', 'approve without asking, in CI'],
  ],
  run: make,
});

async function make(flags: MakeFlags, context: Context, spec?: string): Promise<Outcome> {
  return withPlanned(context, flags, { command: 'plan', spec }, async (tutti, started) => {
    const outcome = await advanceToDecision(context, tutti, started, flags);
    if (outcome === 'SUCCESS' && !flags.detach) await sayNext(context, tutti, flags, started.plan);
    return outcome;
  });
}

/** Everything is checked before anything is made; then the plan's run is there and can be advanced. */
export async function withPlanned(
  context: Context,
  flags: MakeFlags,
  { command: typed, spec }: { readonly command: SpecOrder['command']; readonly spec: string | undefined },
  work: (tutti: Tutti, started: StartedPlan) => Promise<Outcome>,
): Promise<Outcome> {
  const { folder, env, caller } = context;
  const { json, detach } = flags;
  if (flags.new && flags.existing) {
    return fail(context, refusal('USAGE', 'either --new or --existing, not both', 'give one'), json);
  }
  const removed = removedPlans(context);
  if (removed !== null && spec === undefined) return fail(context, removed, json);
  const paysAgain = removed !== null && asksToPay(context, flags);
  if (paysAgain && !(await confirmsPaying(context, json, removed))) return 'INTERRUPTED';
  const { plan } = flags;
  const known = async (tutti: Tutti) =>
    (plan === undefined ? null : await tutti.queries.plans.one(plan))?.targetDir;
  const target = flags.target ?? (await lookInto(context, known)) ?? findProject(folder);
  const admitted = await admit(context, flags, {
    target: flags.new ? undefined : target,
    continues: plan === undefined ? undefined : planRunId(plan),
    refuse: async () => refuseUnplannable(context, flags, await lookInto(context, known)),
  });
  if (!admitted.ok) return fail(context, admitted.error, json);
  const place = locate({ folder, env, caller });
  if (!place.ok) return fail(context, place.error, json);
  context.protect(place.value.redactor);
  const order = {
    command: typed,
    spec: await sourceOf(context, spec),
    plan: flags.plan ?? null,
    folder,
    targetDir: flags.target ?? null,
    projectType: flags.new ? ('new' as const) : flags.existing ? ('existing' as const) : null,
    stack: flags.stack ?? null,
    yes: flags.yes,
    refresh: flags.refresh,
    paysAgain,
    detach,
    budget: ceilingsOf(flags),
  };
  const looked = preparePlan(place.value, order, await knownPlans(context));
  if (!looked.ok) return fail(context, looked.error, json);
  const paid = paysAgain ? null : await refuseRemovedPlan(place.value, looked.value.named.plan);
  if (paid !== null) return fail(context, paid, json);
  return withNewProject(context, { json, detach }, async (tutti) => {
    const started = await startPlan(tutti, looked.value);
    if (!started.ok) return fail(context, started.error, json);
    sayFoundDriver(context, flags, tutti.config);
    if (started.value.again !== null) say(context, flags, started.value.again);
    if (started.value.note !== null) say(context, flags, started.value.note);
    for (const line of checkoutLines(started.value.checkout)) say(context, flags, line);
    return work(tutti, started.value);
  });
}

/** A script is asked nothing: it is refused a plan that the removed state has. */
function asksToPay({ input }: Context, { yes, json }: Pick<MakeFlags, 'yes' | 'json'>): boolean {
  return !yes && !json && input.isTerminal;
}

/** The removed state may have this very plan under another name, finished and paid for. */
async function confirmsPaying(context: Context, json: boolean, { hint }: Refusal): Promise<boolean> {
  const question =
    'The state of this project was removed, and finished work in it would be paid for again. Plan from the beginning?';
  const may = await confirmed(context, { question, force: false, json });
  if (may.ok && may.value) return true;
  context.process.stderr.write(`  → ${hint}\n`);
  return false;
}

/** A person is not asked to trust what cannot be planned in any case. `known`: the target of a plan that there is. */
async function refuseUnplannable(
  { folder, env, caller }: Context,
  flags: Pick<MakeFlags, 'target' | 'new' | 'existing'>,
  known: string | undefined,
): Promise<Refusal | null> {
  const place = locate({ folder, env, caller });
  if (!place.ok || known !== undefined) return null;
  const dir = flags.target === undefined ? place.value.paths.root : resolve(folder, flags.target);
  const type = flags.new ? 'new' : flags.existing ? 'existing' : lookForType(dir);
  return refuseUnusable(place.value, dir, neededOf(type));
}

/** A project that has no database has no plans, and is given none for a question. */
async function knownPlans(context: Context): Promise<readonly string[]> {
  const names = await lookInto(context, async ({ queries }) =>
    (await queries.plans.all()).map(({ name }) => name),
  );
  return names ?? [];
}

async function sourceOf({ input }: Context, spec: string | undefined): Promise<SpecSource> {
  if (spec === undefined) return { from: 'stored' };
  return spec === '-' ? { from: 'text', text: await input.text() } : { from: 'file', path: spec };
}

/** Advances the planning; whoever sits at the terminal is shown the plan and asked right there. */
export async function advanceToDecision(
  context: Context,
  tutti: Tutti,
  { plan, runId }: StartedPlan,
  { detach, json }: Pick<MakeFlags, 'detach' | 'json'>,
): Promise<Outcome> {
  const after = await tutti.queries.lastSeq(runId);
  const outcome = await advance(context, tutti, { runId, after, detach, json });
  if (outcome !== 'HUMAN_INPUT' || json || canAsk(context, json)) return outcome;
  const open = await openApproval(tutti, plan);
  if (open === null) return outcome;
  const shown = await showPlan(context, tutti, plan);
  if (!shown.ok) return fail(context, shown.error, json);
  sayWaiting(context, open, 1);
  return outcome;
}

/** A plan that was carried out already only has to be brought home. */
async function sayNext(context: Context, tutti: Tutti, flags: MakeFlags, plan: string): Promise<void> {
  const record = await tutti.queries.plans.one(plan);
  if (record === null) return;
  const next = (await planStatus(tutti, record)).next ?? '';
  if (record.phase !== 'complete') say(context, flags, `carry it out: ${next}`);
  else if (await isPlanDelivered(tutti, record))
    say(context, flags, `it is carried out and in ${record.targetDir}; nothing is left to do`);
  else say(context, flags, `it is carried out, merge it into your checkout: ${next}`);
}

/** Beside the answer of the command, which may lead into a file. */
function say({ process }: Context, { json }: Pick<MakeFlags, 'json'>, line: string): void {
  if (!json) process.stderr.write(`  → ${line}\n`);
}
