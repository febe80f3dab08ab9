import { digest } from '../../lib/digest.ts';
import { plain } from '../../lib/json.ts';
import type { AgentSnapshot } from '../flow.ts';
import type { GraphNode } from '../graph.ts';
import type { Bundle } from './bundle.ts';
import type { FileLayer } from './physical-map.ts';
import type { PlanTask } from './plan-task.ts';
import { type TaskRow, workDigest } from './task-row.ts';
import { attemptsOf, type TaskState } from './task-state.ts';
import type { Target } from '../workspace.ts';

/** The input of the `execute` workflow: everything it may depend on, taken when it is started or amended. */
export interface ExecuteInput {
  readonly plan: string;
  readonly projectDir: string;
  /** Absolute: a workspace does not contain it. */
  readonly planDir: string;
  readonly target: Target;
  readonly tasks: readonly ExecuteTask[];
  readonly agents: { readonly executor: AgentSnapshot; readonly verifier: AgentSnapshot };
  readonly constraints: Pick<Bundle['constraints'], 'tech_stack' | 'project_context'>;
  readonly checksums: Omit<Bundle['checksums'], 'task'>;
  /** Only these are worked on; null: all. */
  readonly selected: readonly string[] | null;
  readonly undeclared: UndeclaredPolicy;
  readonly sessionTimeoutMs: number;
  readonly acceptanceTimeoutMs: number;
  /** The project's own tests, linters and type checks. Absent: a run of an earlier release. */
  readonly projectCommands?: readonly string[];
  /** Commands that fail on the base, and that nothing is judged by. */
  readonly without?: readonly string[];
  /** Has an agent that did not do the work look at it before it lands. False only in runs of earlier releases. */
  readonly verify: boolean;
  /** A person left the verifier out, for the command that started or amended the run; no part of what the work is. */
  readonly withoutVerifier?: true;
}

/** What happens when a task wrote files that it did not declare. */
export type UndeclaredPolicy = 'ask' | 'accept' | 'refuse';
export const undeclaredPolicies: readonly UndeclaredPolicy[] = ['ask', 'accept', 'refuse'];

/** Healing turns of a task (P9). */
export const healMax = 2;

export interface ExecuteTask {
  readonly task: PlanTask;
  /** Tasks that own one of its files and come first, although it does not need them. */
  readonly after: readonly string[];
  readonly behaviors: Bundle['behaviors'];
  readonly layers: Readonly<Record<string, FileLayer>>;
  /** Number of the attempt that did it, is at it, or will be next. Numbers are never used again. */
  readonly attempt: number;
  /** It was done before this run was started or amended. */
  readonly done: KnownDone | null;
}

interface KnownDone {
  readonly produced: string;
  /** Null: whoever did it did not say. */
  readonly basis: string | null;
  /** In the operator's own folder; its work may not be on the integration branch yet. */
  readonly byHand?: boolean;
}

/** Digests of what the tasks it needs have produced. */
export type Upstream = Readonly<Record<string, string>>;

/**
 * What the work of a task is made from. As long as this stays the same, a task that is done is done. Who does the work is
 * not part of it, nor is the place in the plan, nor what others do to its files.
 */
export function basisOf(
  { task, behaviors }: Pick<ExecuteTask, 'task' | 'behaviors'>,
  { tech_stack }: Pick<ExecuteInput['constraints'], 'tech_stack'>,
  upstream: Upstream,
): string {
  return digest(plain({ work: workDigest(task), behaviors, tech_stack, upstream }));
}

/** Whether work is verified before it lands. */
export function verifies({
  verify,
  withoutVerifier,
}: Pick<ExecuteInput, 'verify' | 'withoutVerifier'>): boolean {
  return verify && withoutVerifier !== true;
}

/**
 * The input without what a person waived for one command: the verifier, and undeclared files. Tasks that were done meanwhile
 * stay done. Null: nothing was waived. `undeclared`: as the configuration says.
 */
export function withoutWaivers(
  input: ExecuteInput,
  rows: readonly TaskRow[],
  undeclared: UndeclaredPolicy,
): ExecuteInput | null {
  const widens = input.undeclared === 'accept' && undeclared !== 'accept';
  if (verifies(input) && !widens) return null;
  const { withoutVerifier: _, ...rest } = input;
  const known = new Map(rows.map((row) => [row.task.id, row]));
  const tasks = input.tasks.map((entry) => {
    const row = known.get(entry.task.id);
    return row === undefined ? entry : { ...entry, ...standingOf(entry.task, row, entry) };
  });
  return { ...rest, tasks, verify: true, undeclared: widens ? undeclared : input.undeclared };
}

/** The input with every task open that was done and has been reopened since; the same input where there is none. */
export function withReopened(input: ExecuteInput, rows: readonly TaskRow[]): ExecuteInput {
  const open = new Map(
    rows.flatMap(({ task, state }) => (state.at === 'done' ? [] : [[task.id, { task, state }]])),
  );
  const isReopened = ({ task, done }: ExecuteTask): boolean => {
    const row = open.get(task.id);
    return done !== null && row !== undefined && workDigest(row.task) === workDigest(task);
  };
  if (!input.tasks.some(isReopened)) return input;
  const tasks = input.tasks.map((entry) => {
    const state = open.get(entry.task.id)?.state;
    return state === undefined || !isReopened(entry)
      ? entry
      : { ...entry, attempt: nextAttempt(state), done: null };
  });
  return { ...input, tasks };
}

/** A task at work keeps its number; the next attempt has the next one. */
export function nextAttempt(state: TaskState): number {
  return state.at === 'running' || state.at === 'done' ? state.attempt : attemptsOf(state) + 1;
}

/** What is recorded of a task that is done; otherwise what was known. */
function standingOf(task: PlanTask, { task: did, state }: TaskRow, known: TaskStanding): TaskStanding {
  if (state.at !== 'done' || workDigest(did) !== workDigest(task)) return known;
  return { attempt: state.attempt, done: knownDone(state) };
}

type TaskStanding = Pick<ExecuteTask, 'attempt' | 'done'>;

export function knownDone({ produced, basis, byHand }: Extract<TaskState, { at: 'done' }>): KnownDone {
  return { produced, basis: basis ?? null, ...(byHand === undefined ? {} : { byHand: true }) };
}

export function executeNodes(tasks: readonly ExecuteTask[]): readonly GraphNode[] {
  return tasks.map(({ task, after }) => ({
    id: task.id,
    needs: [...new Set([...task.dependencies.tasks, ...after])],
    estimate: task.estimate_hours,
  }));
}

/**
 * Tasks that there is something to do for: not done, or done from something else than what is there now. What stands on
 * one of them may follow; that shows when it has produced something.
 */
export function openTasks({
  tasks,
  constraints,
}: Pick<ExecuteInput, 'tasks' | 'constraints'>): readonly string[] {
  const produced = new Map(tasks.map(({ task, done }) => [task.id, done?.produced]));
  return tasks.flatMap((entry) => {
    const { id, dependencies } = entry.task;
    if (entry.done === null) return [id];
    const { basis } = entry.done;
    const needs = dependencies.tasks.flatMap((need) => {
      const made = produced.get(need);
      return made === undefined ? [] : [[need, made] as const];
    });
    const isSame = basis === null || needs.length < dependencies.tasks.length;
    return isSame || basis === basisOf(entry, constraints, Object.fromEntries(needs)) ? [] : [id];
  });
}
