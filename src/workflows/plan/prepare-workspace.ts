import type { Ctx } from '../../kernel/ctx.ts';
import { type Failure, failure } from '../../model/failure.ts';
import type { PreparedWorkspace } from '../../model/plan/execute-parts.ts';
import type { TaskInRun } from './task-in-run.ts';

interface Preparing<T> {
  /** Number of the attempt at the task. */
  readonly attempt: number;
  /** What the first question counts from. */
  readonly round: number;
  /** Whether the workspace has work in it. Without work no agent can be the reason. */
  readonly hasWork: boolean;
  /** Opens the workspace or brings it up to date, for the `tries`-th time; `former` is what the last try left. */
  readonly run: (tries: number, former: T | null) => Promise<T>;
}

/**
 * Prepares a workspace until its setup passes, or until a person has decided about a command of it whose failure is not the
 * agent's. A setup that may fail because of the task's work is left to its agent.
 */
export async function prepareWorkspace<T extends PreparedWorkspace>(
  ctx: Ctx,
  { id, troubles }: TaskInRun,
  { attempt, round, hasWork, run }: Preparing<T>,
): Promise<T | Failure> {
  let former: T | null = null;
  for (let tries = 1; ; tries += 1) {
    const end: T = await run(tries, former);
    former = end;
    if (end.failedSetup === undefined) return end;
    const base = hasWork ? end.workspace.base : null;
    const trouble = await troubles.of(ctx, { ...end.failedSetup, isSetup: true, base });
    if (trouble === null) return end;
    const said = await troubles.ask(ctx, trouble, { step: id, attempt, round: round + tries });
    if (said === 'agent') return end;
    if (said === 'fail') {
      const evidence = { category: 'dependency', output: trouble.output };
      return failure('gate', trouble.why, { outcome: 'NEEDS_ESCALATION', evidence });
    }
  }
}
