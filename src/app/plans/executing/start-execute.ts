import { changePlan } from '../../plan-record/change-plan.ts';
import { plain } from '../../../lib/json.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import type { BudgetLimits } from '../../../model/budget.ts';
import type { Entry } from '../../../model/entry.ts';
import { rootStepOf } from '../../../model/key.ts';
import { advance, fallBack, type PlanChange, type PlanRecord } from '../../../model/plan/plan-record.ts';
import { refusedBegins } from '../../../model/plan/stale-begin.ts';
import { executeRunId, type TaskRow } from '../../../model/plan/task-row.ts';
import { decideCeilings } from '../../people/decide-ceilings.ts';
import { decideToContinue } from '../../people/decide-continuing.ts';
import { decide } from '../../people/decide.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import { changeRun, leaseOn, refuseHeld } from '../../runs/run-holder.ts';
import { isAdvancing } from '../../status/living-holder.ts';
import { refuseUnrecorded } from '../../runs/stop-run.ts';
import type { Started } from '../../runs/start-run.ts';
import { originOfAgents } from '../../sessions/origin.ts';
import type { Tutti } from '../../tutti.ts';
import { logActivity } from '../../plan-files/activity-log.ts';
import { writePlanViews } from '../plan-views.ts';
import type { PreparedExecute } from './prepare-execute.ts';
import { readStateId } from '../../trust/state-mark.ts';
import { unusable } from '../agent-led/task-target.ts';
import { retireFormer } from '../../../workspace/former-repository.ts';
import { tidyWorkspaces } from './tidy.ts';
import { familyOf } from '../../../model/family.ts';

/** How many tasks of a new execution run at a time. */
const usualParallel = 3;

/**
 * Starts the plan's run, or goes on with the one it has: what is done stays done, what is at work is taken up, what failed
 * is tried again. Somebody must advance it then.
 */
export async function startExecute(
  tutti: Tutti,
  prepared: PreparedExecute,
): Promise<Result<Pick<Started, 'runId' | 'how'>, Refusal>> {
  const { found, request, input } = prepared;
  const { name } = found.plan;
  const runId = executeRunId(name);
  const known = await tutti.queries.run(runId);
  if (known !== null && !familyOf(known).hasTasks) {
    const message = `run ${runId} is a ${known.workflow}, and a plan's run needs that name`;
    return err(refusal('USAGE', message, `look at it: tutti status ${runId}`));
  }
  const held = (await refuseUnrecorded(tutti, runId)) ?? (await refuseHeld(tutti, runId));
  if (held !== null) return err(held);
  const limits = {
    ...(await tutti.queries.budget(runId))?.limits,
    depth: tutti.config.maxDepth,
    ...request.budget,
  };
  const allowed = await decideToExecute(tutti, prepared, limits);
  if (!allowed.ok) return allowed;
  const origin = await originOfAgents(tutti, input.agents.executor.name);
  if (!origin.ok) return origin;
  const retired = known === null ? await retireFormer(input.target, readStateId(tutti.paths)) : ok(null);
  if (!retired.ok) return err(unusable(retired.error));
  if (!(await isAdvancing(tutti, runId))) await tidyWorkspaces(tutti, input.target);
  const begun = await changePlan(tutti, name, async (plan, tasks) =>
    atWork(plan, await tasks(), prepared.toDo.length > 0),
  );
  if (!begun.ok)
    return err(refusal('FAILURE', begun.error, `see what it waits for: tutti plan status --plan ${name}`));
  const concurrency = request.parallel ?? known?.concurrency ?? usualParallel;
  const next = { input: plain(input), limits, concurrency };
  if (known === null) {
    const { depth, traceId, within } = origin.value;
    const run = { ...next, id: runId, workflow: 'execute', depth, traceId, within };
    const started = await tutti.store.start(run, leaseOn(tutti, request));
    // Another process started it since it was looked for.
    if (started === 'exists') return startExecute(tutti, prepared);
  } else {
    // What failed on the host and not in the task has no claim to be kept: a new attempt has keys of its own anyway.
    const done = new Set(input.tasks.flatMap((entry) => (entry.done === null ? [] : [entry.task.id])));
    const isRefused = refusedBegins(runId, await tutti.queries.plans.states(name));
    const left = new Set(
      input.tasks.map(({ task }) => task.id).filter((id) => input.selected?.includes(id) === false),
    );
    const again = (entry: Entry): boolean => {
      const step = rootStepOf(entry.key);
      return !done.has(step) && !left.has(step) && (entry.state.at === 'failed' || isRefused(entry));
    };
    const changed = await changeRun(tutti, runId, { ...request, seen: known }, async (run) => {
      await run.amend(next);
      await run.reopen(again);
    });
    if (!changed.ok) return changed;
  }
  const message = `${prepared.toDo.length} of ${input.tasks.length} tasks, ${concurrency} at a time`;
  await logActivity(tutti, found.paths, { level: 'INFO', agent: 'orchestrator', event: 'start', message });
  await writePlanViews(tutti, name);
  return ok({ runId, how: known === null ? 'started' : 'amended' });
}

/** A person's word on a halt of a person, and on what the flags leave out of the rules: declared files, the verifier, ceilings. */
async function decideToExecute(
  tutti: Tutti,
  { found, request: { undeclared, verify } }: PreparedExecute,
  limits: BudgetLimits,
): Promise<Result<null, Refusal>> {
  const { name } = found.plan;
  const continued = await decideToContinue(tutti, executeRunId(name));
  if (!continued.ok) return continued;
  const accepts = undeclared === 'accept' && tutti.config.workspace.undeclared !== 'accept';
  const widened = accepts ? await decide(tutti, 'widen', `undeclared files of plan ${name}`) : ok(null);
  if (!widened.ok) return widened;
  const waived = verify ? ok(null) : await decide(tutti, 'waive', `the verifier of plan ${name}`);
  return waived.ok ? decideCeilings(tutti, executeRunId(name), limits) : waived;
}

/** Executing; or complete, if there is nothing left to do. */
function atWork(plan: PlanRecord, rows: readonly TaskRow[], toDo: boolean): PlanChange {
  const counts = { total: rows.length, open: rows.filter(({ state }) => state.at !== 'done').length };
  const begun = plan.phase === 'ready' ? advance(plan, counts) : ok(plan);
  if (!begun.ok) return begun;
  if (toDo) return ok(fallBack(begun.value, 'executing'));
  const isOver = begun.value.phase === 'executing' && counts.open === 0;
  return isOver ? advance(begun.value, counts) : begun;
}
