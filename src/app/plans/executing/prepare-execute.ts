import { findAsync } from '../../../lib/async-list.ts';
import { findProgram } from '../../../lib/find-program.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { recorded } from '../../../lib/json.ts';
import type { BudgetLimits } from '../../../model/budget.ts';
import type { AgentSnapshot } from '../../../model/flow.ts';
import { type ExecuteInput, openTasks, type UndeclaredPolicy } from '../../../model/plan/execute-input.ts';
import { executorAgent, isAtLeast, verifierAgent } from '../../../model/plan/phase.ts';
import { afterRefusal } from '../../../model/plan/objection.ts';
import { notExecutable } from '../../../model/plan/plan-record.ts';
import { executeRunId, planRunId } from '../../../model/plan/task-row.ts';
import { keepAgents } from '../../agents/kept-agents.ts';
import { snapshotAgents } from '../../agents/snapshot-agents.ts';
import { takeUpLostAttempts } from '../../recovery/lost-attempts.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import { commandOn, type MayDetach } from '../../runs/run-holder.ts';
import { unknownTask } from '../agent-led/required-task.ts';
import type { Tutti } from '../../tutti.ts';
import type { FoundPlan } from '../find-plan.ts';
import { readPlanContext, requiredCommands } from '../../plan-files/plan-context.ts';
import { type PlanSources, planSources } from '../plan-sources.ts';
import { planStatus } from '../agent-led/plan-status.ts';
import { targetOf } from '../agent-led/task-target.ts';
import { checkoutState, type CheckoutState } from '../uncommitted.ts';
import { executeTasks } from './execute-tasks.ts';
import { takeEdits } from './take-edits.ts';

export interface ExecuteRequest extends MayDetach {
  /** How many tasks at a time; null: as many as before, or the usual number. */
  readonly parallel: number | null;
  /** Only these; null: all that are not done. */
  readonly tasks: readonly string[] | null;
  /** Null: as the configuration says. */
  readonly undeclared: UndeclaredPolicy | null;
  readonly verify: boolean;
  /** Ceilings; what is not said here stays as it was. */
  readonly budget: Partial<BudgetLimits>;
  /** Take agent files again for a run that has them already. */
  readonly refresh?: boolean;
}

export interface PreparedExecute {
  readonly found: FoundPlan;
  readonly request: ExecuteRequest;
  readonly input: ExecuteInput;
  /** Changes of task files that were taken, in words; null: there were none. */
  readonly edits: string | null;
  /** What the person should know about the agents; null: nothing. */
  readonly note: string | null;
  /** Null: there is nothing to do. */
  readonly checkout: CheckoutState | null;
  /** Tasks that there is something to do for, as far as they are asked for. */
  readonly toDo: readonly string[];
}

/** Everything that can be said before anything is started; a refusal has started nothing. */
export async function prepareExecute(
  tutti: Tutti,
  known: FoundPlan,
  request: ExecuteRequest,
): Promise<Result<PreparedExecute, Refusal>> {
  // What is not planned yet has files that nobody should be told about.
  const early = isAtLeast(known.plan.phase, 'ready') ? null : await mayNotExecute(tutti, known, null);
  if (early !== null) return err(early);
  const sources = await planSources(tutti, known);
  if (!sources.ok) return sources;
  const taken = await takeEdits(tutti, known, sources.value);
  if (!taken.ok) return taken;
  const { found, edits } = taken.value;
  const refused =
    (await mayNotExecute(tutti, found, edits)) ?? (await notSelectable(tutti, found, request.tasks));
  if (refused !== null) return err(refused);
  const made = await executeInput(tutti, found, sources.value, request);
  if (!made.ok) return made;
  const { note } = made.value;
  const continued = await takeUpLostAttempts(
    tutti,
    made.value.input,
    await recordedInput(tutti, executeRunId(found.plan.name)),
  );
  if (!continued.ok) return continued;
  const input = continued.value;
  const toDo = openTasks(input).filter((id) => request.tasks?.includes(id) ?? true);
  if (toDo.length > 0 && findProgram('git', tutti.env['PATH']) === null) {
    return err(refusal('UNAVAILABLE', 'git cannot be started', 'install it, then: tutti doctor'));
  }
  const checkout = toDo.length === 0 ? null : await checkoutState(tutti, found.plan);
  return ok({ found, request, input, edits, note, checkout, toDo });
}

async function mayNotExecute(
  tutti: Tutti,
  { plan }: FoundPlan,
  edits: string | null,
): Promise<Refusal | null> {
  const { halted, next } = await planStatus(tutti, plan);
  const why = notExecutable(plan);
  if (why !== null) {
    const known = plan.approval?.said === 'approved' ? 'approved' : 'checked';
    const because = edits === null ? why : `${why}: its task files are not what was ${known}: ${edits}`;
    const command = plan.phase === 'ready' || plan.phase === 'executing' || plan.phase === 'complete';
    const usual = command ? `tutti plan approve --plan ${plan.name}` : `tutti plan --plan ${plan.name}`;
    const hint = (edits === null ? afterRefusal(plan) : null) ?? `continue: ${usual}`;
    const planning = planRunId(plan.name);
    const isPlanned = (await commandOn(tutti, planning)) !== null;
    return refusal('FAILURE', because, isPlanned ? `watch it: tutti events ${planning} --follow` : hint);
  }
  if (!halted) return null;
  const reason = plan.halt?.reason ?? 'there is a STOP file';
  return refusal('HALTED', `plan ${plan.name} is halted: ${reason}`, `continue: ${next ?? 'tutti resume'}`);
}

/** A task that is asked for by name runs only if what it needs is done. */
async function notSelectable(
  { queries }: Tutti,
  { plan }: FoundPlan,
  ids: readonly string[] | null,
): Promise<Refusal | null> {
  for (const id of ids ?? []) {
    const node = await queries.plans.node(plan.name, id);
    if (node === null) return unknownTask(plan.name, id, queries);
    const missing = await findAsync(node.needs, async (need) => {
      const state = (await queries.plans.task(plan.name, need))?.state.at;
      return state !== 'done' && !(ids ?? []).includes(need);
    });
    if (missing !== undefined) {
      const message = `task ${id} needs ${missing}, which is not done`;
      return refusal('FAILURE', message, `execute that first: tutti execute --task ${missing}`);
    }
  }
  return null;
}

async function executeInput(
  tutti: Tutti,
  { plan, paths }: FoundPlan,
  sources: PlanSources,
  request: ExecuteRequest,
): Promise<Result<{ readonly input: ExecuteInput; readonly note: string | null }, Refusal>> {
  const target = await targetOf(tutti, plan);
  if (!target.ok) return target;
  const agents = await executeAgents(tutti, executeRunId(plan.name), request);
  if (!agents.ok) return agents;
  const tasks = executeTasks(sources, await tutti.queries.plans.tasks(plan.name));
  const input: ExecuteInput = {
    plan: plan.name,
    projectDir: tutti.paths.root,
    planDir: paths.dir,
    target: target.value,
    tasks,
    agents: agents.value.agents,
    constraints: sources.constraints,
    checksums: sources.checksums,
    selected: request.tasks,
    undeclared: request.undeclared ?? tutti.config.workspace.undeclared,
    sessionTimeoutMs: tutti.config.sessionTimeoutMs,
    acceptanceTimeoutMs: tutti.config.workspace.timeoutMs,
    projectCommands: requiredCommands(plan, readPlanContext(paths)),
    without: plan.base?.without ?? [],
    verify: true,
    ...(request.verify ? {} : { withoutVerifier: true }),
  };
  return ok({ input, note: agents.value.note });
}

/** A turn that was paid for is not paid again because its agent was reworded: that waits to be asked for. */
async function executeAgents(
  tutti: Tutti,
  runId: string,
  { refresh, budget }: ExecuteRequest,
): Promise<Result<{ readonly agents: ExecuteInput['agents']; readonly note: string | null }, Refusal>> {
  const found = snapshotAgents(tutti, [executorAgent, verifierAgent], budget);
  if (!found.ok) return found;
  const executor = agentOf(found.value, executorAgent);
  const verifier = agentOf(found.value, verifierAgent);
  const before = await recordedInput(tutti, runId);
  const known = before === null ? null : { ...before.agents };
  const current = { executor, verifier };
  const { agents, note } = await keepAgents(tutti.queries, runId, {
    current,
    known,
    refresh: refresh === true,
  });
  return ok({
    agents: { executor: agentOf(agents, 'executor'), verifier: agentOf(agents, 'verifier') },
    note,
  });
}

/** What the plan's run was started or amended with last; null: there is no run. */
async function recordedInput({ queries }: Tutti, runId: string): Promise<ExecuteInput | null> {
  return (await queries.run(runId)) === null ? null : recorded<ExecuteInput>(await queries.input(runId));
}

function agentOf(agents: Readonly<Record<string, AgentSnapshot>>, name: string): AgentSnapshot {
  const agent = agents[name];
  if (agent === undefined) throw new Error(`there is no snapshot of agent '${name}'`);
  return agent;
}
