import { digest } from '../../lib/digest.ts';
import { getKnown } from '../../lib/get-known.ts';
import { type Json, plain, recorded } from '../../lib/json.ts';
import type { Ctx, Workflow } from '../../kernel/ctx.ts';
import { walkGraph, type ReadyNode } from '../../kernel/walk-graph.ts';
import { keyOf } from '../../model/key.ts';
import { outlines } from '../../model/outline.ts';
import {
  type ExecuteInput,
  executeNodes,
  type ExecuteTask,
  type Upstream,
} from '../../model/plan/execute-input.ts';
import type { LandedTask } from '../../model/plan/executor-prompt.ts';
import { CommandTroubles } from './command-troubles.ts';
import { handTasks, takeOver } from './take-over.ts';
import { taskInRun } from './task-in-run.ts';
import { endOfExecute, type ExecuteValue, type TaskVerdict } from './task-verdict.ts';
import { workOnTask } from './task-work.ts';

/** The tasks of a plan, each started as soon as what it needs is done and a slot is free: no batches, no barriers. */
export const executeWorkflow: Workflow = {
  name: 'execute',
  run: runExecute,
  end: endOfExecute,
  ...outlines.execute,
  beside: ['plan'],
};

async function runExecute(ctx: Ctx, json: Json): Promise<Json> {
  const input = recorded<ExecuteInput>(json);
  await takeOver(ctx, input, handTasks(input));
  const troubles = new CommandTroubles(input);
  const byId = new Map(input.tasks.map((entry) => [entry.task.id, entry]));
  const tasks = await walkGraph<TaskVerdict>(ctx, executeNodes(input.tasks), (scope, node) =>
    executeTask(scope, input, { entry: getKnown(byId, node.id), troubles }, node),
  );
  if (tasks.every(({ at }) => at === 'done')) await closePlan(ctx, input, tasks);
  const value: ExecuteValue = { tasks };
  return plain(value);
}

async function executeTask(
  ctx: Ctx,
  input: ExecuteInput,
  { entry, troubles }: { readonly entry: ExecuteTask; readonly troubles: CommandTroubles },
  { id, needs, priority }: ReadyNode<TaskVerdict>,
): Promise<TaskVerdict> {
  const { dependencies } = entry.task;
  const produced = new Map<string, string>();
  const landed: LandedTask[] = [];
  let blocked: TaskVerdict | null = null;
  for (const { id: need, end } of needs) {
    if (end.at === 'done') {
      produced.set(need, end.produced);
      landed.push(...landedTasks(input, end));
    }
    // What only comes first because of a shared file is waited for, and needed by nobody.
    else if (dependencies.tasks.includes(need)) blocked ??= blockedBy(id, need, end);
  }
  if (blocked !== null) return blocked;
  const upstream: Upstream = Object.fromEntries(
    dependencies.tasks.flatMap((need) => {
      const made = produced.get(need);
      return made === undefined ? [] : [[need, made]];
    }),
  );
  const place = taskInRun(input, entry, upstream, { priority, troubles, landed });
  const { done } = entry;
  if (done !== null && (done.basis === null || done.basis === place.basis)) {
    const { produced: made } = done;
    return {
      at: 'done',
      id,
      produced: made,
      attempt: entry.attempt,
      summary: 'was done before',
      when: 'before',
    };
  }
  if (input.selected !== null && !input.selected.includes(id)) return { at: 'left', id };
  return workOnTask(ctx, place);
}

/** What a task that is done left for others, in its own words where it was done in this run. */
function landedTasks(
  { tasks }: ExecuteInput,
  { id, summary, when }: Extract<TaskVerdict, { at: 'done' }>,
): readonly LandedTask[] {
  return tasks.flatMap(({ task }) => {
    if (task.id !== id) return [];
    const files = task.files.flatMap(({ path, action }) => (action === 'delete' ? [] : [path]));
    return [{ id, name: task.name, summary: when === 'now' ? summary : '', files }];
  });
}

function blockedBy(id: string, need: string, verdict: TaskVerdict): TaskVerdict {
  switch (verdict.at) {
    case 'blocked':
      return { at: 'blocked', id, cause: verdict.cause, reason: verdict.reason };
    case 'failed':
      return { at: 'blocked', id, cause: need, reason: verdict.failure.message };
    case 'skipped':
      return { at: 'blocked', id, cause: need, reason: verdict.reason };
    case 'left':
    case 'done':
      return { at: 'left', id };
  }
}

/** The plan is complete when its record says that all tasks are done: not only those of this run. */
async function closePlan(
  ctx: Ctx,
  { plan, projectDir, target }: ExecuteInput,
  tasks: readonly TaskVerdict[],
): Promise<void> {
  const made = digest(
    plain(tasks.map((task) => (task.at === 'done' ? [task.id, task.attempt, task.produced] : task.id))),
  );
  const key = keyOf('plan/complete', { plan, made });
  await ctx.operation(key, 'plan-complete', { plan, target }, { workspace: projectDir });
}
