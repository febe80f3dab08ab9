import type { Failure } from '../../model/failure.ts';
import { makeBundle } from '../../model/plan/make-bundle.ts';
import type { Bundle } from '../../model/plan/bundle.ts';
import { executorPrompt, type PromptPlace } from '../../model/plan/executor-prompt.ts';
import type { PreparedFiles, TaskBegun, WrittenFiles } from '../../model/plan/execute-parts.ts';
import type { CheckedCriterion } from '../../model/plan/task-state.ts';
import type { LandEnd, Workspace } from '../../model/workspace.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { prepareWorkspace } from './prepare-workspace.ts';
import { again, inTask, taskOperation, type TaskInRun } from './task-in-run.ts';

export type Begun = Extract<TaskBegun, { at: 'begun' }>;

interface ChangedByCriterion {
  readonly criterion: string;
  readonly paths: readonly string[];
}

/** One attempt at a task: where it happens, and what Tutti has seen of it so far. A replay sees the same again. */
export interface TaskJob {
  readonly place: TaskInRun;
  readonly begun: Begun;
  readonly bundle: Bundle;
  readonly prompt: string;
  readonly where: PromptPlace;
  /** Changes when the work is brought onto what others landed. */
  workspace: Workspace;
  prepared: PreparedFiles;
  /** What the last judgement was about. */
  written: WrittenFiles | null;
  criteria: readonly CheckedCriterion[];
  /** Files that criteria changed in the last judgement. */
  changedBy: readonly ChangedByCriterion[];
  /** What the last judgement found; null: nothing. */
  fault: Failure | null;
  /** Paths that the task did not declare and that may land all the same. */
  readonly widened: Set<string>;
  readonly notes: string[];
  /** What verifiers said, by what they judged: the same work is judged once. */
  readonly verdicts: Map<string, Promise<Failure | null>>;
  landed: Extract<LandEnd, { at: 'landed' }> | null;
}

/** A failure: the workspace cannot be prepared, and a person wants the task to fail for it. */
export async function openJob(ctx: Ctx, place: TaskInRun, begun: Begun): Promise<TaskJob | Failure> {
  const { input, entry, troubles } = place;
  const { attempt } = begun;
  const opened = await prepareWorkspace(ctx, place, {
    attempt,
    round: 0,
    hasWork: false,
    run: (tries) =>
      taskOperation(
        ctx,
        place,
        'task-workspace',
        { ...inTask(place), target: input.target, attempt, without: troubles.without },
        { number: again(tries), of: attempt },
      ),
  });
  if ('reason' in opened) return opened;
  const { workspace, prepared } = opened;
  const needed = new Set(entry.task.dependencies.tasks);
  const bundle = makeBundle({
    task: entry.task,
    behaviors: entry.behaviors,
    layers: entry.layers,
    needs: input.tasks.flatMap(({ task }) => (needed.has(task.id) ? [task] : [])),
    targetDir: workspace.dir,
    constraints: input.constraints,
    checksums: input.checksums,
  });
  await taskOperation(ctx, place, 'task-bundle', { ...inTask(place), bundle }, { of: attempt });
  const where = { planDir: input.planDir, dir: workspace.dir, without: input.without ?? [] };
  return {
    place,
    begun,
    bundle,
    prompt: executorPrompt(bundle, where, place.landed),
    where,
    workspace,
    prepared,
    written: null,
    criteria: [],
    changedBy: [],
    fault: null,
    widened: new Set(),
    notes: [],
    verdicts: new Map(),
    landed: null,
  };
}
