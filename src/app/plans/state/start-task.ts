import { err, ok, type Result } from '../../../lib/result.ts';
import { withoutOrphan } from '../../../model/plan/checkpoint.ts';
import { fallBack, notExecutable, type PlanRecord } from '../../../model/plan/plan-record.ts';
import type { TaskRow } from '../../../model/plan/task-row.ts';
import {
  attemptsOf,
  startTask as started,
  type TaskChange,
  type TaskState,
} from '../../../model/plan/task-state.ts';
import type { Target } from '../../../model/plan/workspace.ts';
import { isDelivered } from '../../../workspace/undelivered.ts';
import { snapshot } from '../../../workspace/snapshot.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import { logActivity } from '../activity-log.ts';
import type { FoundPlan } from '../find-plan.ts';
import { changePlan, changeTask } from './changed.ts';
import { findHalt } from './find-halt.ts';
import type { Requester } from './requester.ts';
import { requiredTask } from './required-task.ts';
import { oneAtATime, targetOf, unusable } from './task-target.ts';

/**
 * Takes a task for an agent that works in the operator's own folder. What the folder is like is kept first, so that a
 * failure can put it back. Of ten who ask at once, one gets it.
 */
export function startTask(
  tutti: Tutti,
  found: FoundPlan,
  id: string,
  requester: Requester,
): Promise<Result<TaskRow, Refusal>> {
  return oneAtATime(tutti, found.plan.name, id, () => taken(tutti, found, id, requester));
}

async function taken(
  tutti: Tutti,
  { plan, paths }: FoundPlan,
  id: string,
  { by, isOne }: Requester,
): Promise<Result<TaskRow, Refusal>> {
  const halt = findHalt(plan, paths);
  const refused = halt === null ? mayNotStart(plan) : halted(plan, halt.reason);
  if (refused !== null) return err(refused);
  const row = requiredTask(tutti, plan.name, id);
  if (!row.ok) return row;
  const begin = (
    state: TaskState,
    stateOf: (other: string) => TaskState | null,
    commit: string,
  ): TaskChange => {
    const { queries, clock } = tutti;
    if (queries.plans.one(plan.name)?.halt) return err('is not started: the plan is halted');
    const missing = queries.plans.node(plan.name, id)?.needs.find((need) => stateOf(need)?.at !== 'done');
    if (missing !== undefined && state.at !== 'running') return err(`needs ${missing}, which is not done`);
    const given = givenToOthers(tutti, plan.name, row.value);
    if (given !== null && state.at !== 'running') return err(given);
    if (state.at === 'running' && !isOne) return err(`is already being worked on by ${state.by}`);
    return started(state, { by, since: clock.wall(), snapshot: commit });
  };
  // Looked at before the folder is: that takes longer than to say no.
  const early = begin(
    row.value.state,
    (other) => tutti.queries.plans.task(plan.name, other)?.state ?? null,
    '',
  );
  if (!early.ok) {
    return err(refusal('FAILURE', `task ${id} ${early.error}`, 'see what may be started: tutti task ready'));
  }
  if (row.value.state.at === 'running') return row;
  const target = await targetOf(tutti, plan);
  if (!target.ok) return target;
  const elsewhere = await madeElsewhere(tutti, plan, id, target.value);
  if (elsewhere !== null) return err(elsewhere);
  const files = row.value.task.files.map(({ path }) => path);
  const name = `${id}-${attemptsOf(row.value.state) + 1}`;
  const kept = await snapshot(target.value, name, files);
  if (!kept.ok) return err(unusable(kept.error));
  const begun = await changeTask(tutti, plan.name, id, ({ state }, stateOf) =>
    begin(state, stateOf, kept.value),
  );
  if (!begun.ok) return begun;
  await changePlan(tutti, plan.name, 'tutti plan status', (record) => ok(atWork(record, id)));
  const message = `${id}: ${row.value.task.name}`;
  await logActivity(tutti, paths, { level: 'INFO', agent: by, event: 'task-start', message });
  return begun;
}

/** A file that a person let belong to a task at work is that task's, until it is over. */
function givenToOthers({ queries }: Tutti, plan: string, { task }: TaskRow): string | null {
  for (const { id, at } of queries.plans.nodes(plan)) {
    if (at !== 'running' || id === task.id) continue;
    const state = queries.plans.task(plan, id)?.state;
    const given = state?.at === 'running' ? (state.widened ?? []) : [];
    const path = task.files.map((file) => file.path).find((one) => given.includes(one));
    if (path !== undefined) return `waits for ${id}, which was given ${path}`;
  }
  return null;
}

/** What a run landed and nobody brought into the folder yet cannot be built on there. */
async function madeElsewhere(
  { queries }: Tutti,
  plan: PlanRecord,
  id: string,
  target: Target,
): Promise<Refusal | null> {
  for (const need of queries.plans.node(plan.name, id)?.needs ?? []) {
    const state = queries.plans.task(plan.name, need)?.state;
    if (state?.at !== 'done' || state.byHand !== undefined) continue;
    if (await isDelivered(target, { task: need, attempt: state.attempt })) continue;
    const message = `what ${need} made is on the integration branch`;
    return refusal('FAILURE', message, `bring it into your checkout: tutti land --plan ${plan.name}`);
  }
  return null;
}

function atWork(plan: PlanRecord, id: string): PlanRecord {
  const next = withoutOrphan(plan, id);
  return next.phase === 'ready' ? { ...next, phase: 'executing' } : fallBack(next, 'executing');
}

function mayNotStart(plan: PlanRecord): Refusal | null {
  if (plan.halt !== null) return halted(plan, plan.halt.reason);
  const why = notExecutable(plan);
  return why === null ? null : refusal('FAILURE', why, 'see what it waits for: tutti plan status');
}

function halted({ name }: PlanRecord, reason: string): Refusal {
  return refusal('HALTED', `plan ${name} is halted: ${reason}`, `continue: tutti resume ${name}`);
}
