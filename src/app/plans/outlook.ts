import { findModel } from '../../drivers/cli-facts.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { steelThreadOf } from '../../model/plan/capability-map.ts';
import { executorAgent, isAtLeast, verifierAgent } from '../../model/plan/phase.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import type { PlanTask } from '../../model/plan/plan-task.ts';
import type { AddedOrder } from '../../model/plan/serialise.ts';
import { type TaskRow, workDigest } from '../../model/plan/task-row.ts';
import type { TaskState } from '../../model/plan/task-state.ts';
import type { Session } from '../../model/session.ts';
import type { Tier } from '../../model/turn.ts';
import { findAgent } from '../agents/find-agent.ts';
import { snapshotOf } from '../agents/snapshot.ts';
import { median } from '../../lib/median.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import { changedTasks } from './changed-tasks.ts';
import { forecastOf } from './executing/execute-tasks.ts';
import type { FoundPlan } from './find-plan.ts';
import { planSources } from './plan-sources.ts';
import { findParked } from './agent-led/parked-tasks.ts';
import { uncommittedWork } from './uncommitted.ts';

/** Each task is executed by one and verified by the other. */
const taskAgents = [executorAgent, verifierAgent];

/** What a person looks at before saying yes. */
export interface PlanOutlook {
  readonly plan: PlanRecord;
  /** How these tasks differ from what was checked last, in words; null: they do not. */
  readonly changed: string | null;
  /** In an order in which they could be done. */
  readonly tasks: readonly OutlookTask[];
  /** The chain that is built before anything else. */
  readonly steelThread: readonly string[];
  /** Tasks that own one file, and are therefore done one after the other. */
  readonly added: readonly AddedOrder[];
  /** Those that execute and verify each task. */
  readonly agents: readonly OutlookAgent[];
  readonly estimate: PlanEstimate;
  /** Files that no task will see, because the person has not committed them. */
  readonly uncommitted: readonly string[];
  /** What somebody should know before it begins. */
  readonly risks: readonly string[];
}

export interface OutlookTask {
  readonly task: PlanTask;
  readonly needs: readonly string[];
  readonly at: TaskState['at'] | 'parked';
}

export interface OutlookAgent {
  readonly agent: string;
  readonly driver: string;
  readonly tier: Tier;
  /** Null: the CLI's default, or no choice of the driver. */
  readonly model: string | null;
}

/** Of what an execution would do now: tasks that are not done, or that were done from something else. Null is unknown. */
export interface PlanEstimate {
  readonly tasks: number;
  /** Tasks that are done and stand on one of those: they run again if it produces something else. */
  readonly mayFollow: number;
  /** As the tasks say it themselves. */
  readonly hours: number;
  /** Of the longest chain: no number of agents makes it shorter. */
  readonly longestHours: number;
  /** One executor and one verifier for each task; healing turns come on top. */
  readonly launches: number;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  /** Of how many earlier turns the last two are made. */
  readonly turns: number;
}

export async function planOutlook(tutti: Tutti, found: FoundPlan): Promise<Result<PlanOutlook, Refusal>> {
  const { name, phase: now, checked } = found.plan;
  if (checked.tasks === undefined && !isAtLeast(now, 'definition')) {
    const message = `plan ${name} has no tasks yet: it is in phase ${now}`;
    return err(refusal('USAGE', message, `continue: tutti plan --plan ${name}`));
  }
  const sources = await planSources(tutti, found);
  if (!sources.ok) return sources;
  const { capabilityMap, tasks } = sources.value;
  const { graph, added } = tasks;
  const byId = new Map(tasks.value.map((task) => [task.id, task]));
  const nodes = await tutti.queries.plans.nodes(name);
  const rows = await tutti.queries.plans.tasks(name);
  const states = new Map<string, OutlookTask['at']>([
    ...nodes.map(({ id, at }) => [id, at] as const),
    ...otherWork(rows, byId).map((id) => [id, 'pending'] as const),
    ...(await findParked(tutti, name, nodes)).map(({ id }) => [id, 'parked'] as const),
  ]);
  const ordered = graph.order
    .flatMap((id) => {
      const task = byId.get(id);
      return task === undefined ? [] : [{ task, needs: graph.needs(id), at: states.get(id) ?? 'pending' }];
    })
    // Nothing needs what is in a later phase, so this is still an order in which they could be done.
    .toSorted((a, b) => a.task.phase - b.task.phase);
  const thread = new Set(steelThreadOf(capabilityMap));
  const forecast = forecastOf(sources.value, rows);
  const open = ordered.filter(({ task }) => forecast.open.has(task.id));
  return ok({
    plan: found.plan,
    changed: (await changedTasks(tutti, found.plan, tasks))?.words ?? null,
    tasks: ordered,
    steelThread: ordered
      .filter(({ task }) => task.behaviors.some((id) => thread.has(id)))
      .map(({ task }) => task.id),
    added,
    agents: taskAgents.flatMap((each) => describeAgent(tutti, each)),
    estimate: {
      ...(await estimateOf(tutti, open.length)),
      mayFollow: forecast.mayFollow.size,
      hours: open.reduce((sum, { task }) => sum + task.estimate_hours, 0),
      longestHours: longestChain(open),
    },
    uncommitted: await uncommittedWork(tutti, found.plan),
    risks: [
      ...capabilityMap.coverage.gaps.map((gap) => `not covered: ${gap}`),
      ...capabilityMap.phase_filtering.excluded_phases.map(
        ({ phase, heading }) => `deferred to phase ${phase}: ${heading}`,
      ),
      ...(found.plan.verdict?.issues ?? []).map((issue) => `the verifier: ${issue}`),
    ],
  });
}

/** Tasks whose files have other work than what became of them is about; one that is worked on stays so. */
function otherWork(rows: readonly TaskRow[], files: ReadonlyMap<string, PlanTask>): readonly string[] {
  return rows.flatMap(({ task, state }) => {
    const now = files.get(task.id);
    const isSame = now === undefined || workDigest(now) === workDigest(task);
    return isSame || state.at === 'running' ? [] : [task.id];
  });
}

/** The driver and model that an agent would run with if it started now. */
function describeAgent(tutti: Tutti, name: string): readonly OutlookAgent[] {
  const agent = findAgent(tutti, name);
  if (!agent.ok) return [];
  const snapshot = snapshotOf(agent.value, tutti.config);
  const { driver, tier } = snapshot;
  return [{ agent: name, driver, tier, model: findModel(tutti.config, snapshot) }];
}

/** What is done takes no more time. */
function longestChain(open: readonly OutlookTask[]): number {
  const until = new Map<string, number>();
  let longest = 0;
  for (const { task, needs } of open) {
    const before = needs.reduce((most, need) => Math.max(most, until.get(need) ?? 0), 0);
    until.set(task.id, before + task.estimate_hours);
    longest = Math.max(longest, before + task.estimate_hours);
  }
  return longest;
}

/** From what successful turns of the same agents took before, on the same driver and tier: anything else has another price. */
async function estimateOf(
  tutti: Tutti,
  tasks: number,
): Promise<Omit<PlanEstimate, 'hours' | 'longestHours' | 'mayFollow'>> {
  const earlier = await tutti.queries.sessions.spending({ runId: null, since: 0 });
  const agents = taskAgents.map((name) => turnsOf(tutti, name, earlier));
  const each = (amounts: readonly (number | null)[]): number | null =>
    amounts.some((amount) => amount === null)
      ? null
      : amounts.reduce<number>((sum, amount) => sum + (amount ?? 0) * tasks, 0);
  return {
    tasks,
    launches: tasks * agents.length,
    tokens: each(agents.map((sessions) => median(sessions.map(tokensOf)))),
    costUsd: each(agents.map((sessions) => median(sessions.map(({ usage }) => usage?.costUsd ?? null)))),
    turns: agents.reduce((sum, sessions) => sum + sessions.length, 0),
  };
}

function turnsOf(tutti: Tutti, name: string, earlier: readonly Session[]): readonly Session[] {
  const agent = findAgent(tutti, name);
  if (!agent.ok) return [];
  const { driver, tier } = snapshotOf(agent.value, tutti.config);
  return earlier.filter(
    (session) =>
      session.agent === name &&
      session.driver === driver &&
      session.tier === tier &&
      session.outcome === 'SUCCESS',
  );
}

function tokensOf({ usage }: Session): number | null {
  const [input, output] = [usage?.inputTokens ?? null, usage?.outputTokens ?? null];
  return input === null || output === null ? null : input + output;
}
