import { err, ok, type Result } from '../../../lib/result.ts';
import { rootStepOf } from '../../../model/key.ts';
import { isOrphan, withoutMark } from '../../../model/plan/checkpoint.ts';
import { fallBack } from '../../../model/plan/plan-record.ts';
import { planOwner } from '../../../model/owner.ts';
import { executeRunId, type TaskRow } from '../../../model/plan/task-row.ts';
import {
  describeAssignee,
  failTask as failed,
  retryTask as retried,
  skipTask as skipped,
  type TaskState,
} from '../../../model/plan/task-state.ts';
import { decide } from '../../people/decide.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import { reopenEntries } from '../../runs/run-holder.ts';
import { findStaleParts } from '../../runs/stale-parts.ts';
import { withdrawQuestions } from '../../runs/withdraw-questions.ts';
import { isHeld } from '../../status/living-holder.ts';
import type { Tutti } from '../../tutti.ts';
import { integrationBranch } from '../../../workspace/refs.ts';
import { logActivity } from '../../plan-files/activity-log.ts';
import type { FoundPlan } from '../find-plan.ts';
import { changePlan, changeTask } from './change-and-show.ts';
import { putAside } from './put-aside.ts';
import { refuseAtWork, requiredTask } from './required-task.ts';
import { oneAtATime } from './task-target.ts';
import { isWorking } from './is-working.ts';

export interface Reopening {
  /** Take it from an assignee of which nothing is known, or from a run that no process works on. */
  readonly force: boolean;
}

export interface Reopened {
  readonly row: TaskRow;
  readonly rescue: string | null;
  /** The branch that keeps the work of a task that was done; null: it was not, or its work is in the person's folder alone. */
  readonly keptOn: string | null;
}

/** Lets a task be done again. A process that works on it keeps it, also from `force`. */
export function retryTask(
  tutti: Tutti,
  found: FoundPlan,
  id: string,
  reopening: Reopening,
): Promise<Result<Reopened, Refusal>> {
  return oneAtATime(tutti, found.plan.name, id, () =>
    settled(tutti, found, id, { ...reopening, again: 'retry' }, retried),
  );
}

/** A person leaves it out. What needs it stays blocked, until it is skipped too. */
export async function skipTask(
  tutti: Tutti,
  found: FoundPlan,
  id: string,
  { force, ...told }: Reopening & { readonly reason: string | null },
): Promise<Result<Reopened, Refusal>> {
  const decided = await decide(tutti, 'waive', `skip task ${id} of plan ${found.plan.name}`);
  if (!decided.ok) return decided;
  const reason = told.reason ?? `${decided.value.by} decided so`;
  return oneAtATime(tutti, found.plan.name, id, () =>
    settled(tutti, found, id, { force, again: 'skip' }, (state) =>
      skipped(state, reason, tutti.clock.wall()),
    ),
  );
}

async function settled(
  tutti: Tutti,
  found: FoundPlan,
  id: string,
  { force, again }: Reopening & { readonly again: 'retry' | 'skip' },
  change: (state: TaskState) => ReturnType<typeof retried>,
): Promise<Result<Reopened, Refusal>> {
  const { plan, paths } = found;
  const row = await requiredTask(tutti, plan.name, id);
  if (!row.ok) return row;
  const { task, state } = row.value;
  let rescue: string | null = null;
  if (state.at === 'running') {
    const held = await refuseAtWork(tutti, id, state.by, again);
    if (held !== null) return err(held);
    if (!force && !(await isLost(tutti, found, id, state.by))) {
      const hint = `if no process is: tutti checkpoint recover, or tutti task ${again} ${id} --force`;
      return err(refusal('FAILURE', `task ${id} ${describeAssignee(state.by)}`, hint));
    }
  }
  const discards = again === 'retry' ? await discardedBy(tutti, found, id, state) : null;
  const decided = discards === null ? ok(null) : await decide(tutti, 'waive', discards);
  if (!decided.ok) return decided;
  if (state.at === 'running') {
    const back = await putAside(tutti, plan, { task, state });
    if (!back.ok) return back;
    ({ rescue } = back.value);
  }
  const changed = await changeTask(tutti, plan.name, id, (now) => {
    const isOver = now.state.at === 'done' || now.state.at === 'skipped';
    if (again === 'retry' && discards === null && isOver) return err('has changed meanwhile');
    if (now.state.at !== 'running') return change(now.state);
    const error = {
      category: 'runtime',
      message: 'no process works on it any more',
      retryable: true,
    } as const;
    const ended = failed(now.state, { endedAt: tutti.clock.wall(), error, rescue });
    return ended.ok ? change(ended.value) : ended;
  });
  if (!changed.ok) return changed;
  await beginAgain(tutti, plan.name, id);
  await withdrawQuestions(tutti, executeRunId(plan.name), ({ key }) => rootStepOf(key) === id);
  await changePlan(tutti, plan.name, 'tutti plan status', (record) => {
    const next = withoutMark(record, id);
    // A plan with something left to do is not complete.
    return ok(again === 'retry' ? fallBack(next, 'executing') : next);
  });
  await logActivity(tutti, paths, { level: 'INFO', agent: 'tutti', event: `task-${again}`, message: id });
  const isLanded = state.at === 'done' && state.byHand === undefined;
  const keptOn = isLanded ? integrationBranch(planOwner(plan.name)) : null;
  return ok({ row: changed.value, rescue, keptOn });
}

/** What of others a retry discards, so that it is done and paid for again; null: nothing that a person has to decide on. */
async function discardedBy(
  tutti: Tutti,
  found: FoundPlan,
  id: string,
  state: TaskState,
): Promise<string | null> {
  const task = `task ${id} of plan ${found.plan.name}`;
  switch (state.at) {
    case 'done':
      return `do ${task} again, which is done`;
    case 'skipped':
      return `do ${task} after all, which was skipped`;
    case 'running': {
      // What an agent of a session began and left is its conductor's to begin again; a run keeps its work and continues it.
      const isKept = (await tutti.queries.run(state.by)) !== null;
      return isKept || !(await isLost(tutti, found, id, state.by)) ? `take ${task} from ${state.by}` : null;
    }
    case 'pending':
    case 'failed':
      return null;
  }
}

/** An execution that no process advances now, and that an answer continues, asks again who has the task. */
async function beginAgain(tutti: Tutti, plan: string, id: string): Promise<void> {
  const run = await tutti.queries.run(executeRunId(plan));
  if (run?.state.at !== 'running' || (await isHeld(tutti, run.id))) return;
  const isStale = await findStaleParts(tutti, run);
  await reopenEntries(tutti, run.id, (entry) => rootStepOf(entry.key) === id && isStale(entry));
}

async function isLost(tutti: Tutti, { plan }: FoundPlan, id: string, by: string): Promise<boolean> {
  const alive = await isWorking(tutti, by);
  return alive === 'no' || (alive === 'unknown' && isOrphan(plan, id));
}
