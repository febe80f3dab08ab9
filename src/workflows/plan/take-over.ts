import { plain } from '../../lib/json.ts';
import type { Ctx } from '../../kernel/ctx.ts';
import { keyOf } from '../../model/key.ts';
import type { ExecuteInput } from '../../model/plan/execute-input.ts';

/** A task that is done, as this run knows it. */
interface HandTask {
  readonly task: string;
  readonly attempt: number;
  readonly produced: string;
}

export function handTasks({ tasks }: ExecuteInput): readonly HandTask[] {
  return tasks.flatMap(({ task, attempt, done }) =>
    done?.byHand === true ? [{ task: task.id, attempt, produced: done.produced }] : [],
  );
}

/**
 * What people or agents did in the operator's own folder goes onto the integration branch, before anything that stands on
 * it is begun. When that cannot be, nothing is begun.
 */
export async function takeOver(ctx: Ctx, input: ExecuteInput, tasks: readonly HandTask[]): Promise<void> {
  if (tasks.length === 0) return;
  const { plan, projectDir, target, acceptanceTimeoutMs: timeoutMs } = input;
  const key = keyOf('plan/take-over', { plan, tasks: plain(tasks) });
  const args = { plan, target, timeoutMs, tasks: tasks.map(({ task }) => task) };
  const { taken } = await ctx.operation(key, 'plan-take-over', args, { workspace: projectDir });
  if (taken.length === 0) return;
  const told = taken.map(({ task }) => task);
  ctx.emit(keyOf('plan/taken-over', { key, told }), 'taken-over', told);
}
