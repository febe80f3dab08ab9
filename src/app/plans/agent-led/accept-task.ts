import { existsSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { err, ok, type Result } from '../../../lib/result.ts';
import { programNotRun } from '../../../model/command.ts';
import { verificationOf } from '../../../model/plan/acceptance.ts';
import { type JudgedClaim, judgeClaim } from '../../../model/plan/claim.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import type { Acceptance } from '../../../model/plan/execute-parts.ts';
import type { AcceptanceCriterion } from '../../../model/plan/plan-task.ts';
import { ownPaths } from '../../../model/plan/task-row.ts';
import type { Target } from '../../../model/workspace.ts';
import type { ChangedFiles, CheckedCriterion, Verification } from '../../../model/plan/task-state.ts';
import { claimEnvironment, freeEnvironment } from '../../../workspace/ports.ts';
import { changesSinceSnapshot } from '../../../workspace/snapshot-changes.ts';
import { callerRunner } from '../../host/command.ts';
import type { Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import { acceptCriterion } from '../work/accept-criterion.ts';
import type { RunningTask } from './required-task.ts';
import { targetOf, unusable } from './task-target.ts';

export interface Accepted {
  readonly own: JudgedClaim['own'];
  readonly verification: Verification;
  readonly undeclared: readonly string[];
  /** Criteria whose command could not be run: they say nothing about the work. */
  readonly notRun: readonly NotRun[];
  /** Snapshot of the folder that was looked at; null where none was taken at the start. */
  readonly now: string | null;
}

export interface NotRun {
  readonly command: string;
  readonly program: string;
}

/** Looks whether a claim of work is true: at the files, then by every acceptance criterion, run in the target. */
export async function acceptTask(
  tutti: Tutti,
  plan: PlanRecord,
  row: RunningTask,
  claimed: ChangedFiles,
): Promise<Result<Accepted, Refusal>> {
  const target = await targetOf(tutti, plan);
  if (!target.ok) return target;
  const { task, state } = row;
  const files = ownPaths(row);
  const changes =
    state.snapshot === null
      ? ok({ files: { created: [], modified: [], deleted: [] }, now: null })
      : await changesSinceSnapshot(target.value, {
          commit: state.snapshot,
          name: `${task.id}-${state.attempt}-now`,
          files,
        });
  if (!changes.ok) return err(unusable(changes.error));
  const others = await filesOfOthers(tutti, plan.name, task.id, state.since);
  const { own, undeclared, findings } = judgeClaim({
    declared: files,
    claimed: {
      created: claimed.created.map((path) => fromTarget(plan, path)),
      modified: claimed.modified.map((path) => fromTarget(plan, path)),
    },
    changes: changes.value.files,
    others,
  });
  const criteria: CheckedCriterion[] = [...findings];
  const notRun: NotRun[] = [];
  // Where nothing was done there is nothing to accept: what passes passed before.
  const isWorth = findings[0]?.status === 'PASS' && existsSync(plan.targetDir);
  const ends = isWorth ? await judgeCriteria(tutti, plan, row, target.value) : ok([]);
  if (!ends.ok) return err(unusable(ends.error));
  for (const { criterion, end } of ends.value) {
    criteria.push(shownCriterion(end));
    const { verification: command } = criterion;
    if (end.problem === 'unavailable') notRun.push({ command, program: programNotRun(command, end.output) });
  }
  return ok({ own, undeclared, verification: verificationOf(criteria), notRun, now: changes.value.now });
}

/** Agents give absolute paths too. */
function fromTarget({ targetDir }: PlanRecord, path: string): string {
  return isAbsolute(path) ? relative(targetDir, path) : path;
}

interface JudgedCriterion {
  readonly criterion: AcceptanceCriterion;
  readonly end: Acceptance;
}

/** Every criterion, in the target, with an environment as a workspace has it. */
async function judgeCriteria(
  tutti: Tutti,
  { targetDir: dir, base }: PlanRecord,
  { task, state }: RunningTask,
  target: Target,
): Promise<Result<readonly JudgedCriterion[], string>> {
  const place = { task: task.id, attempt: state.attempt };
  const env = claimEnvironment(target, place);
  if (!env.ok) return env;
  const { timeoutMs } = tutti.config.workspace;
  const site = { dir, env: env.value, timeoutMs, run: callerRunner(tutti), without: base?.without ?? [] };
  const ends: JudgedCriterion[] = [];
  try {
    for (const criterion of task.acceptance_criteria) {
      const end = await acceptCriterion(tutti, criterion, site);
      if (typeof end === 'string') return err(`\`${criterion.verification}\` was killed`);
      ends.push({ criterion, end });
    }
  } finally {
    freeEnvironment(target, place);
  }
  return ok(ends);
}

/** With what the command printed: the agent that is told reads no log of Tutti's. */
function shownCriterion({ criterion, output }: Acceptance): CheckedCriterion {
  const printed = output.trimEnd();
  return printed === '' ? criterion : { ...criterion, evidence: `${criterion.evidence}\n${printed}` };
}

/** Of tasks that were at work in the same folder since then. No two of them own one file. */
async function filesOfOthers(
  { queries }: Tutti,
  plan: string,
  id: string,
  since: number,
): Promise<ReadonlySet<string>> {
  const others = (await queries.plans.tasks(plan)).filter(({ task, state }) => {
    if (task.id === id) return false;
    if (state.at === 'running') return true;
    return (state.at === 'done' || state.at === 'failed') && state.endedAt >= since;
  });
  return new Set(others.flatMap(ownPaths));
}
