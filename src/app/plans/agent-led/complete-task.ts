import { err, ok, type Result } from '../../../lib/result.ts';
import { ownPaths, type TaskRow } from '../../../model/plan/task-row.ts';
import type { ChangedFiles, Verification } from '../../../model/plan/task-state.ts';
import type { TaskEnd } from '../../../model/plan/work-on-task.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import { logActivity } from '../../plan-files/activity-log.ts';
import type { FoundPlan } from '../find-plan.ts';
import { endTask } from '../work/end-task.ts';
import { contentsOf } from '../work/file-contents.ts';
import { acceptTask, type NotRun } from './accept-task.ts';
import { refuseEditedTask } from './edited-task.ts';
import { lookAtTask, taskInHand } from './required-task.ts';

/** What came of a claim. Rejected and unjudged: the task is still being worked on. */
export type Completed =
  | { readonly at: 'done'; readonly row: TaskRow; readonly verification: Verification }
  | {
      readonly at: 'rejected';
      readonly verification: Verification;
      /** Files that it wrote and that are not its own. */
      readonly undeclared: readonly string[];
    }
  /** Nothing speaks against the work but commands that could not be run: a person must act, not the agent. */
  | { readonly at: 'unjudged'; readonly verification: Verification; readonly notRun: readonly NotRun[] };

/** An agent says that it is done. That is a claim: the gates decide, and what they saw is recorded. */
export async function completeTask(
  tutti: Tutti,
  found: FoundPlan,
  id: string,
  claimed: ChangedFiles,
): Promise<Result<Completed, Refusal>> {
  const { plan, paths } = found;
  const running = await taskInHand(tutti, plan.name, id, 'complete');
  if (!running.ok) return running;
  const edited = await refuseEditedTask(tutti, found, running.value);
  if (edited !== null) return err(edited);
  const { state } = running.value;
  const accepted = await acceptTask(tutti, plan, running.value, claimed);
  if (!accepted.ok) return accepted;
  const { own, undeclared, verification, notRun, now } = accepted.value;
  if (verification.verdict === 'FAIL') {
    const failed = verification.criteria.filter(({ status }) => status === 'FAIL');
    const isUnjudged = failed.length === notRun.length;
    const why = failed.map(({ name, evidence }) => `${name}: ${evidence}`).join('; ');
    const event = isUnjudged ? 'task-unjudged' : 'task-rejected';
    await logActivity(tutti, paths, { level: 'WARN', agent: state.by, event, message: `${id}: ${why}` });
    if (isUnjudged) return ok({ at: 'unjudged', verification, notRun });
    return ok({ at: 'rejected', verification, undeclared });
  }
  const written = [...own.created, ...own.modified, ...own.deleted];
  const { attempt, since, by, snapshot } = state;
  const end: TaskEnd = {
    at: 'done',
    endedAt: tutti.clock.wall(),
    files: { created: own.created, modified: own.modified },
    verification,
    produced: contentsOf(plan.targetDir, ownPaths(running.value)),
    written,
    ...(snapshot === null || now === null
      ? {}
      : { byHand: { by, before: snapshot, after: now, paths: written } }),
  };
  const ending = { attempt: { attempt, since, isRepeated: false }, end };
  const done = await endTask(tutti, { plan: plan.name, id }, { kind: 'agent', by }, ending);
  if (!done.ok) return err(refusal('FAILURE', done.error, lookAtTask(id)));
  return ok({ at: 'done', row: done.value, verification });
}
