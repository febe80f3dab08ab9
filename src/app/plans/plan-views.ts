import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../lib/atomic-file.ts';
import { isMachineTrouble } from '../../lib/machine-trouble.ts';
import type { ProcessTable } from '../../lib/process/process-table.ts';
import { system } from '../../lib/process/system.ts';
import { graphOf } from '../../model/graph.ts';
import { boardOf } from '../../model/plan/board.ts';
import { marksNow } from '../../model/plan/checkpoint.ts';
import { planPhases } from '../../model/plan/phase.ts';
import type { Approval, Checkpoint, PlanRecord } from '../../model/plan/plan-record.ts';
import type { TaskState } from '../../model/plan/task-state.ts';
import type { Output } from '../../model/schemas/published.ts';
import type { TaskNode } from '../../model/ports/plan-queries.ts';
import type { HostParts } from '../host/host-parts.ts';
import { ignoreHeldLock, locked, viewPatienceMs } from '../../workspace/lock.ts';
import { keepPlanFiles, prunePlanCopies } from '../plan-files/kept-files.ts';
import { planPathsOf } from '../plan-files/plan-paths.ts';
import { type PlanTokens, planTokens } from './plan-tokens.ts';
import { findParked } from './agent-led/parked-tasks.ts';

/**
 * `state.json` and `checkpoint.json` of a plan, as it is now. They are read and written while no other process does, so of
 * ten writers the last one writes the last state. No command fails for a view: what could not be written is returned.
 */
export async function writePlanViews(
  { store, queries, paths, redactor, clock, env, processes = system() }: PlanViewParts,
  name: string,
): Promise<readonly string[]> {
  const { state, checkpoint } = planPathsOf(paths, name);
  const failed: string[] = [];
  const attempt = (path: string, content: object | null): void => {
    try {
      if (content === null) rmSync(path, { force: true });
      else replaceFile(path, redactor.text(`${JSON.stringify(content, null, 2)}\n`));
    } catch (error) {
      if (isMachineTrouble(error)) throw error;
      failed.push(path);
    }
  };
  // A project whose state was removed is given no new one.
  if (!(await store.isInPlace())) return [state, checkpoint];
  const write = async (): Promise<void> => {
    const plan = await queries.plans.one(name);
    if (plan === null) return;
    const tasks = await queries.plans.states(name);
    const ids = tasks.map(({ id }) => id);
    if (env !== undefined && keepPlanFiles({ paths, env }, plan, ids)) {
      const names = (await queries.plans.all()).map((one) => one.name);
      prunePlanCopies({ paths, env }, names, Date.now());
    }
    const found = await findParked({ queries, paths, processes, clock }, name, tasks);
    const parked = new Map(found.map(({ id, reason }) => [id, reason]));
    attempt(state, stateView(plan, tasks, parked, await planTokens(queries, plan)));
    attempt(checkpoint, plan.checkpoint === null ? null : checkpointView(name, plan.checkpoint, parked));
  };
  await locked(join(paths.state, 'locks', `views-${name}`), write, { patienceMs: viewPatienceMs }).catch(
    (error: unknown) => {
      ignoreHeldLock(error);
      failed.push(state, checkpoint);
    },
  );
  return failed;
}

interface PlanViewParts extends Pick<HostParts, 'store' | 'queries' | 'paths' | 'redactor' | 'clock'> {
  /** Absent: the copy of the plan's files stays as it is. */
  readonly env?: HostParts['env'];
  /** Absent: those of the system. */
  readonly processes?: ProcessTable;
}

/** Tasks that were begun and on which nothing works now, with the reason. */
type Parked = ReadonlyMap<string, string>;

type TaskWithState = TaskNode & { readonly state: TaskState };

function stateView(
  plan: PlanRecord,
  tasks: readonly TaskWithState[],
  parked: Parked,
  tokens: PlanTokens,
): Output<'plan-state'> {
  const { halt, approval, verdict } = plan;
  return {
    version: '2.0',
    plan: plan.name,
    phase: plan.phase,
    completed_phases: planPhases.slice(0, planPhases.indexOf(plan.phase)),
    target_dir: plan.targetDir,
    project_type: plan.projectType,
    tech_stack: plan.stack,
    created_at: instant(plan.createdAt),
    updated_at: instant(plan.updatedAt),
    spec_checksum: plan.specChecksum,
    artifacts: plan.checked,
    task_validation: verdict === null ? null : { ...verdict, at: instant(verdict.at) },
    approval: approval === null ? null : approvalView(approval),
    halt:
      halt === null
        ? null
        : {
            reason: halt.reason,
            requested_at: instant(halt.requestedAt),
            confirmed_at: halt.confirmedAt === null ? null : instant(halt.confirmedAt),
          },
    execution: executionView(tasks, parked),
    tokens,
    tasks: Object.fromEntries(tasks.map((task) => [task.id, taskView(task, parked.get(task.id) ?? null)])),
  };
}

function approvalView({ said, reason, tasks, by, at }: Approval): Output<'plan-state'>['approval'] {
  return { said, reason, tasks, by, at: instant(at) };
}

/** Counts; a task that waits for one that failed is blocked. */
function executionView(tasks: readonly TaskWithState[], parked: Parked): Output<'plan-state'>['execution'] {
  const states = new Map(tasks.map((task) => [task.id, task.state]));
  const graph = graphOf(tasks);
  if (!graph.ok) throw new Error('the tasks of a plan wait for each other');
  const board = boardOf(graph.value, (id) => states.get(id) ?? { at: 'pending' });
  return {
    total: tasks.length,
    ready: board.ready.length,
    waiting: board.waiting.length,
    blocked: board.blocked.size,
    running: board.running.length - parked.size,
    parked: parked.size,
    done: board.done.length,
    failed: board.failed.length,
    skipped: board.skipped.length,
  };
}

function taskView(
  { name, needs, state }: TaskWithState,
  parked: string | null,
): Output<'plan-state'>['tasks'][string] {
  const shown = <STATUS extends string>(status: STATUS) => ({ name, status, depends_on: needs });
  switch (state.at) {
    case 'pending':
      return shown('pending');
    case 'running': {
      const begun = { attempt: state.attempt, by: state.by, started_at: instant(state.since) };
      return parked === null
        ? { ...shown('running'), ...begun }
        : { ...shown('parked'), ...begun, reason: parked };
    }
    case 'done':
      return {
        ...shown('done'),
        attempt: state.attempt,
        started_at: instant(state.since),
        completed_at: instant(state.endedAt),
        files_created: state.files.created,
        files_modified: state.files.modified,
      };
    case 'failed':
      return {
        ...shown('failed'),
        attempt: state.attempt,
        started_at: instant(state.since),
        completed_at: instant(state.endedAt),
        error: state.error,
        rescue: state.rescue,
      };
    case 'skipped':
      return { ...shown('skipped'), completed_at: instant(state.endedAt), reason: state.reason };
  }
}

function checkpointView(plan: string, checkpoint: Checkpoint, parked: Parked): Output<'plan-checkpoint'> {
  const { status, createdAt } = checkpoint;
  const tasks = marksNow(checkpoint, new Set(parked.keys()));
  return { version: '1.0', plan, status, created_at: instant(createdAt), tasks };
}

function instant(at: number): string {
  return new Date(at).toISOString();
}
