import { existsSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { err, ok, type Result } from '../../../lib/result.ts';
import { cannotRun, programNotRun } from '../../../model/command.ts';
import { type JudgedClaim, judgeClaim } from '../../../model/plan/claim.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import { type AcceptanceCriterion, argvOf } from '../../../model/plan/plan-task.ts';
import { ownPaths } from '../../../model/plan/task-row.ts';
import type { ChangedFiles, CheckedCriterion, Verification } from '../../../model/plan/task-state.ts';
import { runCheck } from '../../../runtime/check-command.ts';
import { changesSinceSnapshot } from '../../../workspace/snapshot-changes.ts';
import type { Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import type { RunningTask } from './required-task.ts';
import { targetOf, unusable } from './task-target.ts';

const timeoutMs = 600_000;
const tail = 4000;

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
  const others = filesOfOthers(tutti, plan.name, task.id, state.since);
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
  for (const criterion of isWorth ? task.acceptance_criteria : []) {
    const judged = await judgeCriterion(tutti, plan.targetDir, criterion);
    criteria.push(judged.checked);
    if (judged.notRun !== null) notRun.push(judged.notRun);
  }
  const passed = criteria.every(({ status }) => status === 'PASS');
  const verification: Verification = { verdict: passed ? 'PASS' : 'FAIL', criteria };
  return ok({ own, undeclared, verification, notRun, now: changes.value.now });
}

/** Agents give absolute paths too. */
function fromTarget({ targetDir }: PlanRecord, path: string): string {
  return isAbsolute(path) ? relative(targetDir, path) : path;
}

async function judgeCriterion(
  { env, config, redactor }: Tutti,
  cwd: string,
  criterion: AcceptanceCriterion,
): Promise<{ readonly checked: CheckedCriterion; readonly notRun: NotRun | null }> {
  const { verification: command } = criterion;
  const end = await runCheck({ argv: argvOf(criterion), cwd, parent: env, names: config.env, timeoutMs });
  const output = redactor.text(end.output).trimEnd();
  const notRun = cannotRun(end.exitCode) ? { command, program: programNotRun(command, output) } : null;
  const how = end.timedOut
    ? `did not end within ${timeoutMs / 60_000} minutes`
    : end.exitCode === null
      ? 'was ended by a signal'
      : notRun === null
        ? `ended with exit code ${end.exitCode}`
        : `could not be run: ${notRun.program} is missing or not executable (exit code ${end.exitCode})`;
  const checked: CheckedCriterion = {
    name: criterion.criterion,
    status: end.exitCode === 0 ? 'PASS' : 'FAIL',
    evidence: `\`${command}\` ${how}${output === '' ? '' : `\n${output.slice(-tail)}`}`,
  };
  return { checked, notRun };
}

/** Of tasks that were at work in the same folder since then. No two of them own one file. */
function filesOfOthers({ queries }: Tutti, plan: string, id: string, since: number): ReadonlySet<string> {
  const others = queries.plans.tasks(plan).filter(({ task, state }) => {
    if (task.id === id) return false;
    if (state.at === 'running') return true;
    return (state.at === 'done' || state.at === 'failed') && state.endedAt >= since;
  });
  return new Set(others.flatMap(ownPaths));
}
