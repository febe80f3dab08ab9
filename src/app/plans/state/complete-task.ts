import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { digest, digestText } from '../../../lib/digest.ts';
import { isMachineTrouble } from '../../../lib/machine-trouble.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { ownPaths, type TaskRow } from '../../../model/plan/task-row.ts';
import {
  type ChangedFiles,
  completeTask as completed,
  type TaskState,
  type Verification,
} from '../../../model/plan/task-state.ts';
import type { Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import { logActivity } from '../activity-log.ts';
import type { FoundPlan } from '../find-plan.ts';
import { writeResult } from '../task-result.ts';
import { type Accepted, acceptTask, type NotRun } from './accept-task.ts';
import { changeTask } from './changed.ts';
import { taskInHand } from './required-task.ts';

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
  { plan, paths }: FoundPlan,
  id: string,
  claimed: ChangedFiles,
): Promise<Result<Completed, Refusal>> {
  const running = taskInHand(tutti, plan.name, id);
  if (!running.ok) return running;
  const { state } = running.value;
  const accepted = await acceptTask(tutti, plan, running.value, claimed);
  if (!accepted.ok) return accepted;
  const { own, undeclared, verification, notRun, now } = accepted.value;
  const say = (level: 'INFO' | 'WARN', event: string, message: string): Promise<string> =>
    logActivity(tutti, paths, { level, agent: state.by, event, message: `${id}: ${message}` });
  if (verification.verdict === 'FAIL') {
    const failed = verification.criteria.filter(({ status }) => status === 'FAIL');
    const isUnjudged = failed.length === notRun.length;
    const why = failed.map(({ name, evidence }) => `${name}: ${evidence}`).join('; ');
    await say('WARN', isUnjudged ? 'task-unjudged' : 'task-rejected', why);
    if (isUnjudged) return ok({ at: 'unjudged', verification, notRun });
    return ok({ at: 'rejected', verification, undeclared });
  }
  const end = {
    endedAt: tutti.clock.wall(),
    files: { created: own.created, modified: own.modified },
    verification,
    produced: producedIn(plan.targetDir, ownPaths(running.value)),
    written: allOf(own),
    ...(state.snapshot === null || now === null
      ? {}
      : { byHand: { by: state.by, before: state.snapshot, after: now, paths: allOf(own) } }),
  };
  const done = await changeTask(tutti, plan.name, id, (row) =>
    isSame(row.state, state) ? completed(row.state, end) : err('was claimed by another agent meanwhile'),
  );
  if (!done.ok) return done;
  writeResult(tutti, plan.name, done.value);
  await say(
    'INFO',
    'task-complete',
    `${verification.criteria.length} of ${verification.criteria.length} passed`,
  );
  return ok({ at: 'done', row: done.value, verification });
}

function allOf({ created, modified, deleted }: Accepted['own']): readonly string[] {
  return [...created, ...modified, ...deleted];
}

/** The very attempt that was looked at; a task that is done says so itself. */
function isSame(now: TaskState, then: Extract<TaskState, { at: 'running' }>): boolean {
  return now.at !== 'running' || (now.attempt === then.attempt && now.since === then.since);
}

/** Of the contents of the task's files. */
function producedIn(targetDir: string, files: readonly string[]): string {
  return digest(files.toSorted().map((path) => [path, contentOf(join(targetDir, path))]));
}

function contentOf(path: string): string | null {
  try {
    return statSync(path).isFile() ? digestText(readFileSync(path)) : null;
  } catch (error) {
    if (isMachineTrouble(error)) throw error;
    return null;
  }
}
