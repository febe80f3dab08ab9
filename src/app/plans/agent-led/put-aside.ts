import { err, ok, type Result } from '../../../lib/result.ts';
import { ownPaths } from '../../../model/plan/task-row.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import { publishRescues } from '../../../workspace/publish.ts';
import { findRescue } from '../../../workspace/rescue.ts';
import { restore } from '../../../workspace/snapshot.ts';
import type { Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import type { RunningTask } from './required-task.ts';
import { targetOf, unusable } from './task-target.ts';

export interface PutAside {
  readonly restored: readonly string[];
  readonly rescue: string | null;
  /** The command that shows it. */
  readonly look: string | null;
}

/**
 * Makes a task's files what they were when it was started, and keeps what they are now. Only its own files: anything else
 * in the folder may be the operator's own.
 */
export async function putAside(
  tutti: Tutti,
  plan: PlanRecord,
  row: RunningTask,
): Promise<Result<PutAside, Refusal>> {
  const { task, state } = row;
  if (state.snapshot === null) return ok({ restored: [], rescue: null, look: null });
  const opened = await targetOf(tutti, plan);
  if (!opened.ok) return opened;
  const target = opened.value;
  const back = await restore(target, state.snapshot, ownPaths(row));
  if (!back.ok) return err(unusable(back.error));
  const { restored, removed } = back.value;
  const rescue = back.value.rescue ?? (await findRescue(target, { task: task.id, attempt: state.attempt }));
  if (rescue === null) return ok({ restored: [], rescue, look: null });
  const isShown = await publishRescues(target);
  const look = isShown ? `git show ${rescue}` : `git --git-dir=${target.gitDir} show ${rescue}`;
  return ok({ restored: [...restored, ...removed], rescue, look });
}
