import { type Completed, completeTask } from '../../../app/plans/state/complete-task.ts';
import { failTask } from '../../../app/plans/state/fail-task.ts';
import { type Reopened, retryTask, skipTask } from '../../../app/plans/state/reopen-task.ts';
import { requesterOf } from '../../../app/plans/state/requester.ts';
import { planStatus } from '../../../app/plans/state/plan-status.ts';
import { startTask } from '../../../app/plans/state/start-task.ts';
import { widenTask } from '../../../app/plans/state/widen-task.ts';
import type { Refusal } from '../../../app/refusal.ts';
import type { Result } from '../../../lib/result.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { widenedPaths } from '../../../model/plan/task-row.ts';
import type { ErrorCategory } from '../../../model/plan/task-state.ts';
import type { Context } from '../../context.ts';
import { fail } from '../../fail.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { counted } from '../../render/counted.ts';
import { verificationLines } from '../../render/task-lines.ts';

export interface StartFlags extends PlanFlags {
  readonly as?: string;
}

export function start(flags: StartFlags, context: Context, id: string): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found) => {
    const begun = await startTask(tutti, found, id, requesterOf(tutti, flags.as));
    if (!begun.ok) return fail(context, begun.error, flags.json);
    const { state } = begun.value;
    if (state.at !== 'running') throw new Error(`task ${id} is ${state.at} after it was started`);
    const { attempt, by, snapshot } = state;
    if (flags.json) printJson(context, { task_id: id, status: 'running', attempt, by, snapshot });
    else {
      printLines(context, [
        `${id}: started by ${by}, attempt ${attempt}`,
        `  → when it is done: tutti task complete ${id} --created FILE… --modified FILE…`,
      ]);
    }
    return 'SUCCESS';
  });
}

export interface CompleteFlags extends PlanFlags {
  readonly created?: readonly string[];
  readonly modified?: readonly string[];
}

export function complete(flags: CompleteFlags, context: Context, id: string): Promise<Outcome> {
  const { json, created = [], modified = [] } = flags;
  return withPlan(context, flags, async (tutti, found) => {
    const completed = await completeTask(tutti, found, id, { created, modified });
    if (!completed.ok) return fail(context, completed.error, json);
    const { value } = completed;
    if (json) printJson(context, claimJson(id, value));
    else printLines(context, claimLines(id, value));
    return claimOutcomes[value.at];
  });
}

const claimOutcomes = { done: 'SUCCESS', rejected: 'FAILURE', unjudged: 'UNAVAILABLE' } as const;

function claimJson(id: string, claim: Completed): object {
  const { verdict, criteria } = claim.verification;
  return {
    task_id: id,
    status: claim.at === 'done' ? 'done' : 'running',
    verdict,
    criteria,
    undeclared: claim.at === 'rejected' ? claim.undeclared : [],
    not_run: claim.at === 'unjudged' ? claim.notRun : [],
  };
}

function claimLines(id: string, claim: Completed): readonly string[] {
  const evidence = verificationLines(claim.verification);
  switch (claim.at) {
    case 'done':
      return [`${id}: SUCCESS`, ...evidence];
    case 'rejected':
      return [
        `${id}: not done: it did not pass`,
        ...evidence,
        ...(claim.undeclared.length === 0
          ? []
          : [
              `  → a person may let them belong to it: tutti task widen ${id} ${listedArguments(claim.undeclared)}`,
            ]),
        `  → fix it and claim it again, or give up: tutti task fail ${id} MESSAGE --category test`,
      ];
    case 'unjudged': {
      const programs = [...new Set(claim.notRun.map(({ program }) => oneLine(program)))].join(', ');
      return [
        `${id}: not judged: a command could not be run, which says nothing about the work`,
        ...evidence,
        `  → ask a person to install ${programs}, then claim it again: tutti task complete ${id}`,
      ];
    }
  }
}

const shownArguments = 5;

/** As they are typed in a shell. */
function listedArguments(paths: readonly string[]): string {
  if (paths.length > shownArguments) return 'FILE…';
  return paths
    .map((path) => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${oneLine(path).replaceAll("'", "'\\''")}'`))
    .join(' ');
}

export function widen(
  flags: PlanFlags,
  context: Context,
  ...[id = '', ...files]: readonly string[]
): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found) => {
    const widened = await widenTask(tutti, found, id, files);
    if (!widened.ok) return fail(context, widened.error, flags.json);
    const paths = widenedPaths(widened.value);
    if (flags.json) printJson(context, { task_id: id, status: 'running', widened: paths });
    else {
      printLines(context, [
        `${id}: may write ${paths.map((path) => oneLine(path)).join(', ')} too`,
        `  → claim it again: tutti task complete ${id}`,
      ]);
    }
    return 'SUCCESS';
  });
}

export interface FailFlags extends PlanFlags {
  readonly category: ErrorCategory;
  readonly retryable: boolean;
}

export function failed(flags: FailFlags, context: Context, id: string, message: string): Promise<Outcome> {
  const { json, category, retryable } = flags;
  return withPlan(context, flags, async (tutti, found) => {
    const ended = await failTask(tutti, found, id, { category, message, retryable });
    if (!ended.ok) return fail(context, ended.error, json);
    const { restored, rescue, look, blocked } = ended.value;
    if (json) printJson(context, { task_id: id, status: 'failed', restored, rescue, blocked });
    else {
      printLines(context, [
        `${id}: FAILED - ${message}`,
        ...(restored.length === 0 ? [] : [`  ${counted(restored.length, 'file')} put back`]),
        ...(rescue === null ? [] : [`  its work is kept in ${rescue}; see it: ${look}`]),
        ...(blocked.length === 0 ? [] : [`  blocked now: ${blocked.join(', ')}`]),
        `  → after you fixed the cause: tutti task retry ${id}`,
      ]);
    }
    return 'SUCCESS';
  });
}

export interface ReopenFlags extends PlanFlags {
  readonly force: boolean;
}

export function retry(flags: ReopenFlags, context: Context, id: string): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found) => {
    const retried = await retryTask(tutti, found, id, flags);
    const outcome = reopened(context, flags, id, 'can be started again', retried);
    const plan = tutti.queries.plans.one(found.plan.name);
    const next = plan === null || !retried.ok ? null : planStatus(tutti, plan).next;
    if (next !== null && !flags.json) printLines(context, [`  → ${next}`]);
    return outcome;
  });
}

export interface SkipFlags extends ReopenFlags {
  readonly reason?: string;
}

export function skip(flags: SkipFlags, context: Context, id: string): Promise<Outcome> {
  const { reason = null, force } = flags;
  return withPlan(context, flags, async (tutti, found) =>
    reopened(context, flags, id, 'is skipped', await skipTask(tutti, found, id, { reason, force })),
  );
}

function reopened(
  context: Context,
  { json }: PlanFlags,
  id: string,
  how: string,
  result: Result<Reopened, Refusal>,
): Outcome {
  if (!result.ok) return fail(context, result.error, json);
  const { row, rescue } = result.value;
  if (json) printJson(context, { task_id: id, status: row.state.at, rescue });
  else {
    printLines(context, [
      `${id}: ${how}`,
      ...(rescue === null ? [] : [`  what was done of it is kept in ${rescue}`]),
    ]);
  }
  return 'SUCCESS';
}
