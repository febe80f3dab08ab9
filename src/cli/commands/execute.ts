import type { FoundPlan } from '../../app/plans/find-plan.ts';
import { orphansOf } from '../../app/plans/executing/orphans.ts';
import {
  prepareExecute,
  type ExecuteRequest,
  type PreparedExecute,
  usualParallel,
} from '../../app/plans/executing/prepare-execute.ts';
import { startExecute } from '../../app/plans/executing/start-execute.ts';
import { clearInterrupt } from '../../app/plans/state/clear-halt.ts';
import { planStatus } from '../../app/plans/state/plan-status.ts';
import { refusal, type Refusal } from '../../app/refusal.ts';
import { refuseHeld } from '../../app/runs/run-holder.ts';
import { err, type Result } from '../../lib/result.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import type { Tutti } from '../../app/tutti.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { UndeclaredPolicy } from '../../model/plan/execute-input.ts';
import { executeRunId } from '../../model/plan/task-row.ts';
import { admitPlan } from '../admit.ts';
import { type CeilingFlags, ceilingsOf } from '../ceilings.ts';
import { confirmed } from '../confirm.ts';
import type { TrustFlag } from '../command.ts';
import type { Context } from '../context.ts';
import { drive } from '../drive.ts';
import { fail } from '../fail.ts';
import { sayLand } from '../say-land.ts';
import { type PlanFlags, withPlan } from '../plan-project.ts';
import { printJson, printLines } from '../print.ts';
import { counted } from '../render/counted.ts';
import { uncommittedText } from '../render/plan-outlook.ts';
import { sayFoundDriver } from '../say-driver.ts';

export interface ExecuteFlags extends PlanFlags, CeilingFlags, TrustFlag {
  readonly task?: readonly string[];
  readonly parallel?: number;
  readonly undeclared?: UndeclaredPolicy;
  readonly batch: boolean;
  readonly interactive: boolean;
  readonly verify: boolean;
  readonly refresh: boolean;
  readonly detach: boolean;
}

export async function execute(flags: ExecuteFlags, context: Context): Promise<Outcome> {
  const { json } = flags;
  if (flags.interactive && (flags.batch || flags.detach || json)) {
    const message = '--interactive asks before each task, and cannot be had with --batch, --detach or --json';
    return fail(context, refusal('USAGE', message, 'leave one of them out'), json);
  }
  const admitted = await admitPlan(context, flags);
  if (!admitted.ok) return fail(context, admitted.error, json);
  return withPlan(context, flags, async (tutti, chosen) => {
    sayFoundDriver(context, flags, tutti.config);
    const held = refuseHeld(tutti, executeRunId(chosen.plan.name));
    if (held !== null) return fail(context, held, json);
    const found = await clearInterrupt(tutti, chosen);
    if (!found.ok) return fail(context, found.error, json);
    return flags.interactive
      ? oneByOne(context, tutti, found.value, flags)
      : executePlan(context, tutti, found.value, flags);
  });
}

/** All that is open, as many at a time as wanted. A person approved exactly these tasks, and is not asked again. */
export async function executePlan(
  context: Context,
  tutti: Tutti,
  found: FoundPlan,
  flags: ExecuteFlags,
): Promise<Outcome> {
  const { json } = flags;
  const prepared = await lookedAt(context, tutti, found, requestOf(flags, flags.task ?? null), json);
  if (!prepared.ok) return fail(context, prepared.error, json);
  if (prepared.value.toDo.length > 0) return driven(context, tutti, prepared.value, flags);
  return isUnderWay(tutti, found)
    ? driveToItsEnd(context, tutti, found, flags)
    : nothingToDo(context, tutti, found, json);
}

/** A process that was killed after the last task was done leaves a run that still has to end. */
function isUnderWay({ queries }: Tutti, { plan }: FoundPlan): boolean {
  return queries.run(executeRunId(plan.name))?.state.at === 'running';
}

async function driveToItsEnd(
  context: Context,
  tutti: Tutti,
  { plan }: FoundPlan,
  { detach, json }: Pick<ExecuteFlags, 'detach' | 'json'>,
): Promise<Outcome> {
  const runId = executeRunId(plan.name);
  const after = tutti.queries.lastSeq(runId);
  const outcome = await drive(context, tutti, { runId, after, detach, json });
  if (outcome === 'SUCCESS' && !detach) await sayLand(context, tutti, plan, json);
  return outcome;
}

/** What speaks against executing, and which task files changed since. */
async function lookedAt(
  context: Context,
  tutti: Tutti,
  found: FoundPlan,
  request: ExecuteRequest,
  json: boolean,
): Promise<Result<PreparedExecute, Refusal>> {
  const lost = orphansOf(tutti, found.plan.name).filter((orphan) => orphan.of === 'agent');
  const [first] = lost;
  if (first !== undefined) {
    const named = lost.map(({ id, by }) => `${id} (${by})`).join(', ');
    const message = `${counted(lost.length, 'task')} marked as running without a process: ${named}`;
    const hint = `try again: tutti task retry ${first.id}; leave it: tutti task skip ${first.id}`;
    return err(refusal('FAILURE', message, hint));
  }
  const prepared = await prepareExecute(tutti, found, request);
  if (prepared.ok && !json) {
    const { edits, note, uncommitted } = prepared.value;
    const notes = [
      ...(edits === null ? [] : [`task files changed: ${oneLine(edits, 500)}`]),
      ...(note === null ? [] : [note]),
      ...(uncommitted.length === 0 ? [] : [`not committed: ${uncommittedText(uncommitted)}`]),
    ];
    for (const line of notes) context.process.stderr.write(`${line}\n`);
  }
  return prepared;
}

async function nothingToDo(
  context: Context,
  tutti: Tutti,
  { plan }: FoundPlan,
  json: boolean,
): Promise<Outcome> {
  const { total, board } = planStatus(tutti, plan);
  if (json) printJson(context, { plan: plan.name, run_id: executeRunId(plan.name), tasks: total, to_do: 0 });
  else printLines(context, [nothingToDoLine(plan.name, total, board.done.length)]);
  await sayLand(context, tutti, plan, json);
  return 'SUCCESS';
}

/** Tasks that were not asked for, or that a person skipped, are not done. */
function nothingToDoLine(plan: string, total: number, done: number): string {
  return done === total
    ? `plan ${plan}: all ${counted(total, 'task')} done, nothing to do`
    : `plan ${plan}: nothing to do, and ${done} of ${counted(total, 'task')} done`;
}

async function driven(
  context: Context,
  tutti: Tutti,
  prepared: PreparedExecute,
  { detach, json, interactive }: Pick<ExecuteFlags, 'detach' | 'json' | 'interactive'>,
): Promise<Outcome> {
  const { name } = prepared.found.plan;
  const after = tutti.queries.lastSeq(executeRunId(name));
  const started = await startExecute(tutti, prepared);
  if (!started.ok) return fail(context, started.error, json);
  const outcome = await drive(context, tutti, { runId: started.value.runId, after, detach, json });
  if (outcome === 'SUCCESS' && !detach && !interactive)
    await sayLand(context, tutti, prepared.found.plan, json);
  return outcome;
}

/** The next task that may start, with a question before each. */
async function oneByOne(
  context: Context,
  tutti: Tutti,
  found: FoundPlan,
  flags: ExecuteFlags,
): Promise<Outcome> {
  const looked = await lookedAt(context, tutti, found, requestOf(flags, flags.task ?? null), false);
  if (!looked.ok) return fail(context, looked.error, false);
  if (looked.value.toDo.length === 0) return nothingToDo(context, tutti, found, false);
  const asked = new Set<string>();
  let last: Outcome = 'SUCCESS';
  for (;;) {
    const { board } = planStatus(tutti, found.plan);
    const open = [...board.ready, ...board.failed].filter((id) => flags.task?.includes(id) ?? true);
    const id = open.find((each) => !asked.has(each));
    if (id === undefined) {
      if (board.done.length > 0) await sayLand(context, tutti, found.plan, false);
      return open.length > 0 && last === 'SUCCESS' ? 'PARTIAL_SUCCESS' : last;
    }
    asked.add(id);
    const name = oneLine(tutti.queries.plans.node(found.plan.name, id)?.name ?? '', 60);
    const yes = await confirmed(context, {
      question: `${id} ${name}: execute it?`,
      force: false,
      json: false,
      flag: '--batch',
    });
    if (!yes.ok) return fail(context, yes.error, false);
    if (!yes.value) continue;
    const prepared = await prepareExecute(tutti, found, requestOf(flags, [id]));
    if (!prepared.ok) return fail(context, prepared.error, false);
    last = await driven(context, tutti, prepared.value, flags);
    if (last === 'HALTED' || last === 'INTERRUPTED') return last;
  }
}

function requestOf(flags: ExecuteFlags, tasks: readonly string[] | null): ExecuteRequest {
  const { parallel = usualParallel, undeclared = null, verify, refresh, detach } = flags;
  const budget = ceilingsOf(flags);
  return { parallel: flags.interactive ? 1 : parallel, tasks, undeclared, verify, refresh, detach, budget };
}
