import type { TaskNodeState } from '../../../model/ports/plan-queries.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { isAtLeast } from '../../../model/plan/phase.ts';
import { describeRefusal, notExecutable, type PlanRecord } from '../../../model/plan/plan-record.ts';
import type { TaskRow } from '../../../model/plan/task-row.ts';
import { attemptsOf, type TaskState } from '../../../model/plan/task-state.ts';
import { refusedBegin, startTask as started } from '../../../model/plan/work-on-task.ts';
import type { Target } from '../../../model/workspace.ts';
import { isDelivered } from '../../../workspace/undelivered.ts';
import { snapshot } from '../../../workspace/snapshot.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import type { FoundPlan } from '../find-plan.ts';
import { beginTask } from '../work/begin-task.ts';
import { findHalt } from '../../plan-record/find-halt.ts';
import { refuseEditedTask } from './edited-task.ts';
import type { Requester } from './requester.ts';
import { lookAtTask, requiredTask } from './required-task.ts';
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
  found: FoundPlan,
  id: string,
  { by, isOne }: Requester,
): Promise<Result<TaskRow, Refusal>> {
  const { plan, paths } = found;
  const halt = findHalt(plan, paths);
  const refused = halt === null ? refuseToStart(plan) : halted(plan, halt.reason);
  if (refused !== null) return err(refused);
  const row = await requiredTask(tutti, plan.name, id);
  if (!row.ok) return row;
  const obstacle = async (state: TaskState): Promise<string | null> => {
    if ((await tutti.queries.plans.one(plan.name))?.halt) return 'is not started: the plan is halted';
    return state.at === 'running' ? null : notReady(tutti, plan.name, row.value);
  };
  // Looked at before the folder is: that takes longer than to say no.
  const { state } = row.value;
  const early = await obstacle(state);
  const looked = early === null ? started(state, { by, since: 0, snapshot: '', isOne }) : err(early);
  if (!looked.ok) return err(notStarted(id, looked.error));
  const edited = await refuseEditedTask(tutti, found, row.value);
  if (edited !== null) return err(edited);
  if (state.at === 'running') return row;
  const target = await targetOf(tutti, plan);
  if (!target.ok) return target;
  const elsewhere = await madeElsewhere(tutti, plan, id, target.value);
  if (elsewhere !== null) return err(elsewhere);
  const files = row.value.task.files.map(({ path }) => path);
  const kept = await snapshot(target.value, `${id}-${attemptsOf(state) + 1}`, files);
  if (!kept.ok) return err(unusable(kept.error));
  const assignee = { kind: 'agent', by } as const;
  const beginning = { snapshot: kept.value, isOne, obstacle };
  const begun = await beginTask(tutti, { plan: plan.name, id }, assignee, beginning);
  if (!begun.ok) return err(refusal('FAILURE', begun.error, lookAtTask(id)));
  const refusedNow = refusedBegin(begun.value.begun);
  return refusedNow === null ? ok(begun.value.row) : err(notStarted(id, refusedNow));
}

function notStarted(id: string, why: string): Refusal {
  return refusal('FAILURE', `task ${id} ${why}`, 'see what may be started: tutti task ready');
}

/** Why an open task may not begin yet; null: it may. */
async function notReady({ queries }: Tutti, plan: string, row: TaskRow): Promise<string | null> {
  const states = await queries.plans.states(plan);
  const done = new Set(states.filter(({ at }) => at === 'done').map(({ id }) => id));
  const needs = states.find(({ id }) => id === row.task.id)?.needs ?? [];
  const missing = needs.find((need) => !done.has(need));
  return missing === undefined ? givenToOthers(states, row) : `needs ${missing}, which is not done`;
}

/** A file that a person let belong to a task at work is that task's, until it is over. */
function givenToOthers(states: readonly TaskNodeState[], { task }: TaskRow): string | null {
  for (const { id, state } of states) {
    if (state.at !== 'running' || id === task.id) continue;
    const given = state.widened ?? [];
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
  for (const need of (await queries.plans.node(plan.name, id))?.needs ?? []) {
    const state = (await queries.plans.task(plan.name, need))?.state;
    if (state?.at !== 'done' || state.byHand !== undefined) continue;
    if (await isDelivered(target, { task: need, attempt: state.attempt })) continue;
    const message = `what ${need} made is on the integration branch`;
    return refusal('FAILURE', message, `merge it into your checkout: tutti land --plan ${plan.name}`);
  }
  return null;
}

/** Why no task of the plan may be started; null: nothing about the plan forbids it. */
export function refuseToStart(plan: PlanRecord): Refusal | null {
  if (plan.halt !== null) return halted(plan, plan.halt.reason);
  const why = notExecutable(plan);
  if (why === null) return null;
  const waits = isAtLeast(plan.phase, 'ready') && describeRefusal(plan) === null;
  const hint = waits
    ? `look at it: tutti plan show --plan ${plan.name}, then: tutti plan approve --plan ${plan.name}`
    : `see what it waits for: tutti plan status --plan ${plan.name}`;
  return refusal('FAILURE', why, hint);
}

function halted({ name }: PlanRecord, reason: string): Refusal {
  return refusal('HALTED', `plan ${name} is halted: ${reason}`, `continue: tutti resume ${name}`);
}
