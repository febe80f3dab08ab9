import { ok } from '../../../lib/result.ts';
import type { OperationArgs } from '../../../model/operations.ts';
import { withMark } from '../../../model/plan/checkpoint-mark.ts';
import type { TaskBegun } from '../../../model/plan/execute-parts.ts';
import { retryTask, startTask, type TaskChange, type TaskState } from '../../../model/plan/task-state.ts';
import { done, failed } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { logActivity } from '../activity-log.ts';
import { planPathsOf } from '../paths.ts';
import { writePlanViews } from '../plan-views.ts';
import { heldBack } from './halts.ts';

/** Takes a task for the run, unless the plan is halted; the record says who has it from here on. */
export async function taskBegin(call: OperationCall<'task-begin'>): Promise<OperationEnd<TaskBegun>> {
  const { parts, attempt } = call;
  const { plan, task: id, ...wanted } = call.args;
  const instead = await heldBack(call, plan);
  if (instead !== null) return instead;
  const { store, clock } = parts;
  const by = attempt.runId;
  const changed = await store.changeTask(plan, id, ({ state }) => begun(state, by, clock.wall(), wanted));
  if (!changed.ok) return failed(changed.error);
  const answer = answerOf(changed.value.state, by);
  if (answer.at !== 'begun') return done(answer);
  await store.changePlan(plan, (record) => ok(withMark(record, id, 'running', clock.wall())));
  const paths = planPathsOf(parts.paths, plan);
  const message = `${id}: attempt ${answer.attempt}`;
  await logActivity(parts, paths, { level: 'INFO', agent: 'orchestrator', event: 'start', message });
  await writePlanViews(parts, plan);
  return done(answer);
}

function begun(
  state: TaskState,
  by: string,
  since: number,
  { attempt, redo }: Pick<OperationArgs<'task-begin'>, 'attempt' | 'redo'>,
): TaskChange {
  const begin = { by, since, snapshot: null };
  switch (state.at) {
    case 'pending':
    case 'failed':
      return startTask(state, begin);
    case 'done': {
      if (!redo || state.attempt >= attempt) return ok(state);
      const open = retryTask(state);
      return open.ok ? startTask(open.value, begin) : open;
    }
    case 'running':
    case 'skipped':
      return ok(state);
  }
}

function answerOf(state: TaskState, by: string): TaskBegun {
  switch (state.at) {
    case 'running':
      if (state.by !== by) return { at: 'taken', by: state.by };
      return { at: 'begun', attempt: state.attempt, since: state.since };
    case 'done':
      return { at: 'done', attempt: state.attempt, produced: state.produced };
    case 'skipped':
      return { at: 'skipped', reason: state.reason };
    case 'pending':
    case 'failed':
      throw new Error('a task that was begun is neither at work nor done');
  }
}
