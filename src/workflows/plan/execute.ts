import { digest } from '../../lib/digest.ts';
import { type Json, plain, recorded } from '../../lib/json.ts';
import { type Ctx, type OutlineStep, StepFailed, type Workflow } from '../../kernel/ctx.ts';
import { type Graph, graphOf, sentenceOf } from '../../model/graph.ts';
import { keyOf } from '../../model/key.ts';
import {
  type ExecuteInput,
  executeNodes,
  type ExecuteTask,
  type Upstream,
} from '../../model/plan/execute-input.ts';
import type { LandedTask } from '../../model/plan/executor-prompt.ts';
import { CommandTroubles } from './command-troubles.ts';
import { handTasks, takeOver } from './take-over.ts';
import { taskPlace } from './task-place.ts';
import { endOfExecute, taskEnds, type ExecuteValue, type TaskVerdict } from './task-verdict.ts';
import { workOnTask } from './task-work.ts';

/** The tasks of a plan, each started as soon as what it needs is done and a slot is free: no batches, no barriers. */
export const executeWorkflow: Workflow = {
  name: 'execute',
  run: runExecute,
  end: endOfExecute,
  stepEnds: taskEnds,
  outline: (input) => outlineOf(recorded<ExecuteInput>(input).tasks),
  beside: ['plan'],
};

function outlineOf(tasks: readonly ExecuteTask[]): readonly OutlineStep[] {
  const names = new Map(tasks.map(({ task }) => [task.id, task.name]));
  return executeNodes(tasks).map(({ id, needs }) => ({
    id,
    needs,
    name: names.get(id) ?? '',
    proof: 'verdict',
  }));
}

async function runExecute(ctx: Ctx, json: Json): Promise<Json> {
  const input = recorded<ExecuteInput>(json);
  const graph = graphOf(executeNodes(input.tasks));
  if (!graph.ok) throw new Error(graph.error.map(sentenceOf).join('; '));
  await takeOver(ctx, input, handTasks(input));
  const troubles = new CommandTroubles(input);
  const byId = new Map(input.tasks.map((entry) => [entry.task.id, entry]));
  const verdicts = new Map<string, Promise<TaskVerdict>>();
  // In topological order, so that whatever a task needs already has its promise.
  const parts = graph.value.order.map((id) => (scope: Ctx) => {
    const entry = byId.get(id);
    if (entry === undefined) throw new Error(`the graph names '${id}', which the plan does not have`);
    const verdict = afterNeeds(scope, entry, input, { graph: graph.value, troubles }, verdicts);
    verdicts.set(id, verdict);
    return verdict;
  });
  const tasks = await ctx.all(parts);
  if (tasks.every(({ at }) => at === 'done')) await closePlan(ctx, input, tasks);
  const value: ExecuteValue = { tasks };
  return plain(value);
}

async function afterNeeds(
  ctx: Ctx,
  entry: ExecuteTask,
  input: ExecuteInput,
  { graph, troubles }: { readonly graph: Graph; readonly troubles: CommandTroubles },
  verdicts: ReadonlyMap<string, Promise<TaskVerdict>>,
): Promise<TaskVerdict> {
  const { id, dependencies } = entry.task;
  const produced: Record<string, string> = Object.create(null);
  const landed: LandedTask[] = [];
  let blocked: TaskVerdict | null = null;
  for (const need of graph.needs(id)) {
    const verdict = await verdicts.get(need);
    if (verdict?.at === 'done') {
      produced[need] = verdict.produced;
      landed.push(...landedTasks(input, verdict));
    }
    // What only comes first because of a shared file is waited for, and needed by nobody.
    else if (dependencies.tasks.includes(need)) blocked ??= blockedBy(id, need, verdict);
  }
  if (blocked !== null) return blocked;
  const upstream: Upstream = Object.fromEntries(
    dependencies.tasks.flatMap((need) => (produced[need] === undefined ? [] : [[need, produced[need]]])),
  );
  const place = taskPlace(input, entry, upstream, {
    priority: graph.priority(id),
    troubles,
    landed,
  });
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
  try {
    return await workOnTask(ctx, place);
  } catch (error) {
    // A refused or lost launch fails its task, not the run: independent tasks go on.
    if (error instanceof StepFailed) return { at: 'failed', id, failure: error.failure };
    throw error;
  }
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

function blockedBy(id: string, need: string, verdict: TaskVerdict | undefined): TaskVerdict {
  switch (verdict?.at) {
    case 'blocked':
      return { at: 'blocked', id, cause: verdict.cause, reason: verdict.reason };
    case 'failed':
      return { at: 'blocked', id, cause: need, reason: verdict.failure.message };
    case 'skipped':
      return { at: 'blocked', id, cause: need, reason: verdict.reason };
    case 'left':
    case 'done':
    case undefined:
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
