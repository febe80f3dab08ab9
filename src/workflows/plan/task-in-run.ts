import { digest } from '../../lib/digest.ts';
import { type Json, plain } from '../../lib/json.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import {
  basisOf,
  type ExecuteInput,
  type ExecuteTask,
  type Upstream,
} from '../../model/plan/execute-input.ts';
import type { TaskOperations } from '../../model/plan/executing-operations.ts';
import type { LandedTask } from '../../model/plan/executor-prompt.ts';
import { keyOf } from '../../model/key.ts';
import type { OperationArgs, OperationResult } from '../../model/operations.ts';
import type { CommandTroubles } from './command-troubles.ts';

/** One task of one run: what it is, and what it stands on. */
export interface TaskInRun {
  readonly id: string;
  readonly entry: ExecuteTask;
  readonly input: ExecuteInput;
  readonly basis: string;
  readonly attempt: number;
  /** In every key of the task: a change here is other work. */
  readonly identity: string;
  readonly priority: number;
  /** What it builds on, for its prompt; no part of what the work is. */
  readonly landed: readonly LandedTask[];
  /** Shared by all tasks of the run. */
  readonly troubles: CommandTroubles;
}

export function taskInRun(
  input: ExecuteInput,
  entry: ExecuteTask,
  upstream: Upstream,
  { priority, troubles, landed }: Pick<TaskInRun, 'priority' | 'troubles' | 'landed'>,
): TaskInRun {
  const basis = basisOf(entry, input.constraints, upstream);
  const { executor, verifier } = input.agents;
  // A verifier that a person leaves out for one command makes no other work of it: nothing is paid for again.
  const judges = input.verify ? verifier : null;
  // What is done and now stands on something else is done once more.
  const attempt = entry.done === null ? entry.attempt : entry.attempt + 1;
  const identity = digest(plain({ basis, executor, judges, attempt }));
  return { id: entry.task.id, entry, input, basis, attempt, identity, priority, troubles, landed };
}

/** Parts of a task that is under way go before tasks that have not begun. */
const begun = 1_000_000;

interface Part {
  /** Ends the name of the part, for one of several: `-2` is `T001/accept-2`. */
  readonly number?: string;
  /** What makes this the same part or another one, beyond the task's identity. */
  readonly of?: Json;
  readonly workspace?: string;
  readonly timeoutMs?: number | null;
  /** Nothing of the task is launched after it. */
  readonly last?: boolean;
  /** Names the part of an operation that a task has for several reasons. */
  readonly as?: string;
}

/**
 * Something done on the host for the task; a failure of the host throws, everything else is a value. The operation names the
 * part: `task-land` is recorded as `T001/land`.
 */
export function taskOperation<Name extends keyof TaskOperations>(
  ctx: Ctx,
  place: TaskInRun,
  name: Name,
  args: OperationArgs<Name>,
  part: Part = {},
): Promise<OperationResult<Name>> {
  const { input, id, identity, priority } = place;
  const word = part.as ?? name.slice('task-'.length);
  const key = keyOf(`${id}/${word}${part.number ?? ''}`, { identity, of: part.of ?? null });
  return ctx.operation(key, name, args, {
    workspace: part.workspace ?? input.projectDir,
    priority: priority + (name === 'task-begin' ? 0 : begun),
    timeoutMs: part.timeoutMs ?? null,
    goesOn: part.last !== true,
  });
}

/** Arguments that every operation of a task has. */
export function inTask({ id, input }: TaskInRun): { readonly plan: string; readonly task: string } {
  return { plan: input.plan, task: id };
}

/** Ends the name of a part that is repeated: the second try is `T001/land-again-1`. */
export function again(tries: number): string {
  return tries === 1 ? '' : `-again-${tries - 1}`;
}

export function turnPriority({ priority }: TaskInRun): number {
  return priority + begun;
}
