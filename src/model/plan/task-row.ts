import { digest } from '../../lib/digest.ts';
import { plain } from '../../lib/json.ts';
import type { PlanTask } from './plan-task.ts';
import { openAgain, type TaskState, touchedPaths } from './task-state.ts';

/** A task as the store keeps it: what it is, and what became of it. */
export interface TaskRow {
  readonly task: PlanTask;
  readonly state: TaskState;
}

/** Files that are a task's to write: what it declares, and what a person let belong to it. */
export function ownPaths({ task, state }: TaskRow): readonly string[] {
  return [...new Set([...task.files.map(({ path }) => path), ...morePaths(state)])];
}

/** Paths that work on it has changed, or may have: whoever works on it by hand writes to the target itself. */
export function changedPaths(row: TaskRow): readonly string[] {
  const { state } = row;
  const isByHand = state.at === 'running' && state.snapshot !== null;
  return isByHand ? [...touchedPaths(state), ...ownPaths(row)] : touchedPaths(state);
}

function morePaths(state: TaskState): readonly string[] {
  if (state.at === 'running') return state.widened ?? [];
  return state.at === 'done' ? (state.byHand?.paths ?? []) : [];
}

/** What it wrote or may write beyond what it declares, because a person let it. */
export function widenedPaths({ task, state }: TaskRow): readonly string[] {
  const declared = new Set(task.files.map(({ path }) => path));
  const written = state.at === 'done' ? [...state.files.created, ...state.files.modified] : [];
  return [...new Set([...morePaths(state), ...written])].filter((path) => !declared.has(path));
}

/**
 * What makes a task's work this work. When it is due and how long it may take are not part of it: a plan that was only
 * sequenced again keeps what is finished.
 */
export function workDigest(task: PlanTask): string {
  const { phase: _phase, estimate_hours: _estimate, ...work } = task;
  return digest(plain(work));
}

/** The same work keeps its state; other work under the same id begins again. */
export function reloaded(before: TaskRow | undefined, task: PlanTask): TaskRow {
  if (before === undefined) return { task, state: { at: 'pending' } };
  const same = workDigest(before.task) === workDigest(task);
  return { task, state: same ? before.state : openAgain(before.state) };
}

/** What is kept of a task that an edit removed: finished work, and how often it was tried. Numbers are never used again. */
export function retired({ task, state }: TaskRow): TaskRow {
  return { task, state: state.at === 'done' ? state : openAgain(state) };
}

export function planRunId(plan: string): string {
  return `${plan}-plan`;
}

export function executeRunId(plan: string): string {
  return `${plan}-execute`;
}

/** Lets a task be done again. */
export function retryCommand(plan: string, task: string): string {
  return `tutti task retry ${task} --plan ${plan}`;
}

/** The plan of a run whose id one of the two above made. */
export function planOfRunId(runId: string): string {
  return runId.replace(/-(?:plan|execute)$/, '');
}
