import { counted } from '../../../lib/counted.ts';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { contentAddress } from '../../../lib/digest.ts';
import { plain, recorded } from '../../../lib/json.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { BudgetLimits } from '../../../model/budget.ts';
import type { AgentSnapshot } from '../../../model/flow.ts';
import { findObjections } from '../../../model/plan/objection.ts';
import { phaseAgents } from '../../../model/plan/phase.ts';
import type { PlanInput } from '../../../model/plan/plan-input.ts';
import type { Objection, PlanRecord, ProjectType } from '../../../model/plan/plan-record.ts';
import { isAboutPhases } from '../../../model/question.ts';
import { isOver } from '../../../model/run.ts';
import { runsAgain } from '../../../model/try-again.ts';
import { specDiff } from '../../../model/plan/spec-diff.ts';
import { executeRunId, planOfRunId, planRunId, retryCommand } from '../../../model/plan/task-row.ts';
import { type KeptAgents, keepAgents } from '../../agents/kept-agents.ts';
import { snapshotAgents } from '../../agents/snapshot-agents.ts';
import { lookForType } from '../../discovery/look-at-project.ts';
import { decideCeilings } from '../../people/decide-ceilings.ts';
import { decideToContinue, decideToContinuePlan } from '../../people/decide-continuing.ts';
import { decidePlanChange } from '../../people/decide-plan-change.ts';
import { decide } from '../../people/decide.ts';
import { refuseFolder } from '../../confinement.ts';
import { refusal, refusalOfProblems, type Refusal } from '../../refusal.ts';
import { changeRun, isConducted, leaseOn, type MayDetach, refuseHeld } from '../../runs/run-holder.ts';
import { isAdvancing } from '../../status/living-holder.ts';
import { refuseRemovedPlan } from '../../runs/start-run.ts';
import { refuseUnrecorded } from '../../runs/stop-run.ts';
import { withdrawQuestions } from '../../runs/withdraw-questions.ts';
import { type Origin, originOfAgents } from '../../sessions/origin.ts';
import { runStatus } from '../../status/run-status.ts';
import { failedSteps, interruptedSteps } from '../../status/step-status.ts';
import type { Place, Tutti } from '../../tutti.ts';
import { outlinesByName } from '../../../model/outline.ts';
import { refuseGoneFiles } from '../../plan-files/kept-files.ts';
import { digestTaskFiles } from '../../plan-files/load-tasks.ts';
import { readSpec } from '../../plan-files/load-plan.ts';
import { type PlanPaths, planPathsOf } from '../../plan-files/plan-paths.ts';
import { forgetPlanContext, readPlanContext } from '../../plan-files/plan-context.ts';
import { initPlan, type PlanRequest, wrongWith } from '../agent-led/init-plan.ts';
import { findRunning } from '../agent-led/parked-tasks.ts';
import { neededOf, refuseUnusable } from '../agent-led/task-target.ts';
import { changedTaskFiles } from '../changed-tasks.ts';
import { openApproval } from '../open-approval.ts';
import { checkoutState, type CheckoutState } from '../uncommitted.ts';
import { copyOf, keepCopy } from './checked-copies.ts';
import { takeHandEdits } from './hand-edits.ts';
import { editedSinceCheck } from './plan-check.ts';
import { firstHistory, type History, takeHistory } from './history.ts';
import { type NamedSpec, type SpecOrder, takeSpec } from './spec-source.ts';

export interface PlanOrder extends SpecOrder, MayDetach {
  /** Null: as the plan has it, or the project. */
  readonly targetDir: string | null;
  /** Null: as the plan has it, or as the target looks. */
  readonly projectType: ProjectType | null;
  readonly stack: string | null;
  /** Approve it without asking anybody. */
  readonly yes: boolean;
  /** Take agents and what is known of the project again. */
  readonly refresh: boolean;
  /** A person at the terminal chose to pay again for what a removed state had. */
  readonly paysAgain: boolean;
  readonly budget: Partial<BudgetLimits>;
}

/** A plan that may be started: its specification was read and its agents are there. */
export interface PreparedPlan {
  readonly order: PlanOrder;
  readonly named: NamedSpec;
  readonly agents: Readonly<Record<string, AgentSnapshot>>;
}

export interface StartedPlan {
  readonly plan: string;
  readonly runId: string;
  readonly paths: PlanPaths;
  readonly how: 'started' | 'amended';
  /** What is planned again, in words; null: nothing changed since it was planned, or it never was. */
  readonly again: string | null;
  /** What the person should know about the agents; null: nothing. */
  readonly note: string | null;
  readonly checkout: CheckoutState;
}

/** Everything that can be checked without touching anything: a refusal leaves nothing behind. `plans`: names there are. */
export function preparePlan(
  place: Place,
  order: PlanOrder,
  plans: readonly string[],
): Result<PreparedPlan, Refusal> {
  const named = takeSpec(place, order, plans);
  if (!named.ok) return named;
  const request = requestOf(order, named.value);
  const wrong = wrongWith(request) ?? refuseFolder(request.targetDir ?? place.paths.root, place.env);
  if (wrong !== null) return err(wrong);
  const agents = snapshotAgents(place, Object.values(phaseAgents), order.budget);
  return agents.ok ? ok({ order, named: named.value, agents: agents.value }) : agents;
}

function requestOf({ folder, targetDir, projectType, stack }: PlanOrder, named: NamedSpec): PlanRequest {
  const dir = targetDir === null ? null : resolve(folder, targetDir);
  return { name: named.plan, targetDir: dir, projectType, stack, spec: named.text };
}

/** Stores the specification, makes the plan's folders and record, and starts its run, or amends the one there is. */
export async function startPlan(tutti: Tutti, prepared: PreparedPlan): Promise<Result<StartedPlan, Refusal>> {
  const { order, named } = prepared;
  const name = named.plan;
  const runId = planRunId(name);
  const held = (await refuseUnrecorded(tutti, runId)) ?? (await refuseHeld(tutti, runId));
  if (held !== null) return err(held);
  const removed = order.paysAgain ? null : await refuseRemovedPlan(tutti, name);
  if (removed !== null) return err(removed);
  const paths = planPathsOf(tutti.paths, name);
  const before = await tutti.queries.plans.one(name);
  const isSameSpec = named.text === null || contentAddress(named.text) === before?.specChecksum;
  const gone = before === null || !isSameSpec ? null : refuseGoneFiles(tutti, before);
  if (gone !== null) return err(gone);
  const objections = await findNewObjections(tutti, before, paths);
  const executing = await refuseExecuting(tutti, name, { isSameSpec, isRefused: objections.length > 0 });
  if (executing !== null) return err(executing);
  const request = requestOf(order, named);
  const dir = before?.targetDir ?? request.targetDir ?? tutti.paths.root;
  const type = request.projectType ?? before?.projectType ?? lookForType(dir);
  const unusable = await refuseUnusable(tutti, dir, neededOf(type));
  if (unusable !== null) return err(unusable);
  const decided = await decideToStart(tutti, order, name);
  if (!decided.ok) return decided;
  const origin = await originOfAgents(tutti, phaseAgents.logical);
  if (!origin.ok) return origin;
  const stored = named.text === null ? readSpec(paths.dir) : ok(named.text);
  if (!stored.ok)
    return err(refusalOfProblems(stored.error, `give it again: tutti ${order.command} FILE --plan ${name}`));
  const spec = stored.value;
  const specChecksum = contentAddress(spec);
  const history = before === null ? firstHistory : await takeHistory(tutti, before, paths, specChecksum);
  const hand =
    before === null ? ok(undefined) : takeHandEdits(before, paths, await knownEdits(tutti, name, history));
  if (!hand.ok) return hand;
  if (order.refresh) forgetPlanContext(paths);
  const made = await initPlan(tutti, request);
  if (!made.ok) return made;
  keepCopy(paths, 'spec', specChecksum, spec);
  const { beforeSpec } = history;
  const old = beforeSpec === null || beforeSpec === specChecksum ? null : copyOf(paths, 'spec', beforeSpec);
  const diff = old === null ? null : specDiff(old, spec);
  const allObjections = [...(await knownObjections(tutti, name)), ...objections];
  const input = await inputOf(tutti, prepared, made.value.plan, paths, {
    ...history,
    ...(allObjections.length === 0 ? {} : { objections: allObjections }),
    ...(hand.value === undefined ? {} : { hand: hand.value }),
    specChecksum,
    specDiff: diff,
    approvedBy: decided.value ?? (await approvalUnderWay(tutti, name, history.known, specChecksum)),
  });
  const { note } = await keepPlanAgents(tutti, prepared, name, history.known);
  const how = await startOrAmend(tutti, planRunId(name), input, { ...order, origin: origin.value });
  if (!how.ok) return how;
  const again = againWords(before, made.value.plan, objections);
  const checkout = await checkoutState(tutti, made.value.plan);
  return ok({ plan: name, runId: planRunId(name), paths, how: how.value, again, note, checkout });
}

/**
 * A plan is not changed while tasks of it are at work. Tasks that were begun and on which nothing works, as after a stop, continue
 * with their run: they are in the way only of another specification and of a reason for which the tasks were refused.
 */
async function refuseExecuting(
  tutti: Tutti,
  name: string,
  { isSameSpec, isRefused }: { readonly isSameSpec: boolean; readonly isRefused: boolean },
): Promise<Refusal | null> {
  const many = (count: number): string => `plan ${name} has ${counted(count, 'task')}`;
  const busy = (await findRunning(tutti, name)).length;
  const runId = executeRunId(name);
  const advances = await isAdvancing(tutti, runId);
  if (busy > 0) {
    const message = `${many(busy)} at work, and cannot be planned again now`;
    const run = await tutti.queries.run(runId);
    // The process that advanced it died, and its agents still work: a halt would not let the tasks finish.
    if (!advances && run !== null && !isOver(run.state)) {
      tutti.toldRuns.add(runId);
      return refusal(
        'USAGE',
        `${message}; no process advances run ${runId}`,
        `continue it: tutti resume ${runId}`,
      );
    }
    return refusal('USAGE', message, `let them finish: tutti halt ${name}`);
  }
  if (advances) {
    const message = `plan ${name} is being executed, and cannot be planned again now`;
    return refusal('USAGE', message, `let what is under way finish: tutti halt ${name}`);
  }
  const begun = (await tutti.queries.plans.counts(name)).running ?? 0;
  if (begun === 0 || (isSameSpec && !isRefused)) return null;
  const unfinished = `${many(begun)} that ${begun === 1 ? 'is' : 'are'} begun and not finished`;
  if (isRefused) {
    const first = (await tutti.queries.plans.nodes(name)).find(({ at }) => at === 'running')?.id ?? 'ID';
    const message = `${unfinished}, and cannot be planned again for the reason of its refusal now`;
    return refusal('USAGE', message, `put ${first} back first: ${retryCommand(name, first)} --force`);
  }
  const message = `${unfinished}, and cannot be planned by another specification now`;
  return refusal('USAGE', message, `finish ${begun === 1 ? 'it' : 'them'} first: tutti resume ${runId}`);
}

/**
 * The reasons of refusals that planning takes up now, without those that an earlier start took up. A person who has edited the
 * tasks since has acted on them.
 */
async function findNewObjections(
  tutti: Tutti,
  before: PlanRecord | null,
  paths: PlanPaths,
): Promise<readonly Objection[]> {
  if (before === null) return [];
  const known = await knownObjections(tutti, before.name);
  const found = findObjections(before).filter(({ at }) => known.every((each) => each.at !== at));
  if (found.length === 0 || (await changedTaskFiles(tutti, { plan: before, paths })) === null) return found;
  return before.approval?.files === digestTaskFiles(paths.dir) ? found : [];
}

async function knownObjections({ queries }: Tutti, plan: string): Promise<readonly Objection[]> {
  const runId = planRunId(plan);
  if ((await queries.run(runId)) === null) return [];
  return recorded<PlanInput>(await queries.input(runId)).objections ?? [];
}

/** A command that attaches to planning under way says nothing about the approval in advance that it was started with. */
async function approvalUnderWay(
  tutti: Tutti,
  plan: string,
  known: PlanInput | null,
  specChecksum: string,
): Promise<string | null> {
  const attaches = known?.specChecksum === specChecksum && (await isConducted(tutti, planRunId(plan)));
  return attaches ? (known.approvedBy ?? null) : null;
}

/** `isAsked`: the run waits for a person to change phases, so no agent is at work on the tasks. */
async function knownEdits(
  { queries }: Tutti,
  plan: string,
  { known }: History,
): Promise<{ readonly known: PlanInput['hand']; readonly isAsked: boolean }> {
  const isAsked = (await queries.openQuestions(planRunId(plan))).some(
    (asked) => known !== null && isAboutPhases(asked, known.round),
  );
  return { known: known?.hand, isAsked };
}

/** Who approves the plan in advance; null: it is asked about. A higher ceiling for its run is decided on too. */
async function decideToStart(
  tutti: Tutti,
  { yes, budget }: PlanOrder,
  plan: string,
): Promise<Result<string | null, Refusal>> {
  const known = await tutti.queries.plans.one(plan);
  const halted = known === null || known.halt === null ? ok(null) : await decideToContinuePlan(tutti, known);
  const continued = halted.ok ? await decideToContinue(tutti, planRunId(plan)) : halted;
  if (!continued.ok) return continued;
  const again = known === null ? ok(null) : await decideOnEdits(tutti, known);
  if (!again.ok) return again;
  const raised = await decideCeilings(
    tutti,
    planRunId(plan),
    await limitsFor(tutti, planRunId(plan), budget),
  );
  if (!raised.ok) return raised;
  if (!yes) return ok(null);
  const decided = await decide(tutti, 'approve', `plan ${plan}, in advance (--yes)`);
  return decided.ok ? ok(decided.value.by) : decided;
}

/** Planning again takes edited files, and asks about them instead of what was shown. */
async function decideOnEdits(tutti: Tutti, plan: PlanRecord): Promise<Result<unknown, Refusal>> {
  if ((await openApproval(tutti, plan.name)) === null) return ok(null);
  const paths = planPathsOf(tutti.paths, plan.name);
  const changed = await changedTaskFiles(tutti, { plan, paths });
  return changed === null ? ok(null) : decidePlanChange(tutti, plan.name, 'take the edited tasks');
}

async function limitsFor(
  { queries, config }: Tutti,
  runId: string,
  budget: Partial<BudgetLimits>,
): Promise<BudgetLimits> {
  return { ...(await queries.budget(runId))?.limits, depth: config.maxDepth, ...budget };
}

async function inputOf(
  tutti: Tutti,
  prepared: PreparedPlan,
  record: PlanRecord,
  paths: PlanPaths,
  facts: History & Pick<PlanInput, 'specChecksum' | 'specDiff' | 'hand' | 'objections' | 'approvedBy'>,
): Promise<PlanInput> {
  const { known, ...history } = facts;
  const keptAgents = await keepPlanAgents(tutti, prepared, record.name, known);
  const context = readPlanContext(paths);
  const { name, targetDir, projectType, stack } = record;
  return {
    ...history,
    plan: name,
    planDir: paths.dir,
    targetDir,
    workspace: known?.workspace ?? (existsSync(targetDir) ? targetDir : tutti.paths.root),
    projectType,
    stack,
    projectContext: context?.projectContext ?? '',
    testCommands: context?.testCommands ?? [],
    ...(record.base === undefined ? {} : { waivedCommands: record.base.without }),
    commandTimeoutMs: tutti.config.workspace.timeoutMs,
    preferences: context?.preferences ?? '',
    agents: keptAgents.agents,
    sessionTimeoutMs: tutti.config.sessionTimeoutMs,
  };
}

async function keepPlanAgents(
  tutti: Tutti,
  { order, agents }: PreparedPlan,
  plan: string,
  known: PlanInput | null,
): Promise<KeptAgents> {
  const before = known === null ? null : known.agents;
  return keepAgents(tutti.queries, planRunId(plan), {
    current: agents,
    known: before,
    refresh: order.refresh,
  });
}

/** One planner at a time; files are looked at beside one that an earlier command launched and that still works. */
const concurrency = 2;

async function startOrAmend(
  tutti: Tutti,
  runId: string,
  input: PlanInput,
  order: Pick<PlanOrder, 'budget' | 'detach'> & { readonly origin: Origin },
): Promise<Result<StartedPlan['how'], Refusal>> {
  const next = { input: plain(input), limits: await limitsFor(tutti, runId, order.budget), concurrency };
  if ((await tutti.queries.run(runId)) === null) {
    const { depth, traceId, within } = order.origin;
    const run = { ...next, id: runId, workflow: 'plan', depth, traceId, within };
    const started = await tutti.store.start(run, leaseOn(tutti, order));
    // Another process started it since it was looked for.
    return started === 'exists' ? startOrAmend(tutti, runId, input, order) : ok('started');
  }
  // Looked at before the amendment: a run that has ended knows best how its steps did.
  const steps = (await runStatus(tutti, outlinesByName, runId))?.steps ?? [];
  const interrupted = interruptedSteps(steps);
  const entries = await tutti.queries.entries(runId);
  const edited = editedSinceCheck(entries, planPathsOf(tutti.paths, planOfRunId(runId)));
  const select = runsAgain(entries, failedSteps(steps), { edited, interrupted });
  const changed = await changeRun(tutti, runId, order, async (run) => {
    await run.amend(next);
    await run.reopen(select);
    // Asked about files of an earlier round; what still has to be decided is asked again.
    await withdrawQuestions(tutti, runId, () => true);
  });
  return changed.ok ? ok('amended') : changed;
}

function againWords(
  before: PlanRecord | null,
  now: PlanRecord,
  objections: readonly Objection[],
): string | null {
  const reasons = objections.map(({ reason }) => oneLine(reason, 300)).join('; ');
  const refused = reasons === '' ? '' : `the tasks are made again, as they were refused: ${reasons}`;
  if (before === null || before.specChecksum === null || before.specChecksum === now.specChecksum)
    return refused === '' ? null : refused;
  const changed = `the specification changed: planned again from phase ${now.phase}, as far as something depends on the change`;
  return refused === '' ? changed : `${changed}; ${refused}`;
}
