import { filterAsync } from '../../../lib/async-list.ts';
import { writeFileSync } from 'node:fs';
import { errorCode } from '../../../lib/error-code.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import { confirmHalt, requestHalt } from '../../../model/plan/plan-transitions.ts';
import { executeRunId, planRunId } from '../../../model/plan/task-row.ts';
import { isOver } from '../../../model/run.ts';
import { identifyCaller } from '../../people/identify-caller.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import { isHeld } from '../../status/living-holder.ts';
import type { Tutti } from '../../tutti.ts';
import { logActivity } from '../../plan-files/activity-log.ts';
import type { FoundPlan } from '../find-plan.ts';
import type { PlanPaths } from '../../plan-files/plan-paths.ts';
import { changePlan } from './change-and-show.ts';
import { findHalt } from '../../plan-record/find-halt.ts';
import { findRunning } from './parked-tasks.ts';

const look = 'look at it: tutti halt-status';

/** Nothing new is started; what is at work goes on to its end. The file tells those who only read files. */
export async function haltPlan(
  tutti: Tutti,
  { plan, paths }: FoundPlan,
  reason: string,
): Promise<Result<PlanRecord, Refusal>> {
  const runs = await runsOf(tutti, plan.name);
  if (plan.phase === 'complete' && runs.length === 0) {
    const message = `plan ${plan.name} is complete, and nothing of it is under way`;
    return err(refusal('FAILURE', message, `see it: tutti plan status --plan ${plan.name}`));
  }
  const by = identifyCaller(tutti.caller).name;
  const changed = await changePlan(tutti, plan.name, look, (record) =>
    ok(requestHalt(record, reason, tutti.clock.wall(), by)),
  );
  if (!changed.ok) return changed;
  placeStopFile(paths, `${oneLine(tutti.redactor.text(reason))}\n`);
  for (const run of runs) {
    // A task is more than one turn: whoever executes halts by itself, when those that are under way have landed.
    if (run === executeRunId(plan.name) && (await isHeld(tutti, run))) continue;
    await tutti.store.halt(run, reason, by);
  }
  await logActivity(tutti, paths, { level: 'WARN', agent: 'tutti', event: 'halt', message: reason });
  return changed;
}

/** A STOP file that a person put there counts as a request: the command that confirms the halt records it. */
async function recordStopFile(tutti: Tutti, { plan, paths }: FoundPlan): Promise<void> {
  const halt = findHalt(plan, paths);
  if (plan.halt !== null || halt === null) return;
  await changePlan(tutti, plan.name, look, (record) =>
    ok(requestHalt(record, halt.reason, halt.requestedAt, null)),
  );
}

export async function confirmPlanHalt(tutti: Tutti, found: FoundPlan): Promise<Result<PlanRecord, Refusal>> {
  const { plan } = found;
  await recordStopFile(tutti, found);
  const isAsked = findHalt(plan, found.paths) !== null;
  const hint = `${isAsked ? '' : `halt it: tutti halt ${plan.name}, or `}see who is at work: tutti task list --plan ${plan.name}`;
  return changePlan(tutti, plan.name, hint, async (record) =>
    confirmHalt(record, await findRunning(tutti, plan.name), tutti.clock.wall()),
  );
}

/** Of the plan, those that go on: the one that executes first. */
export function runsOf({ queries }: Pick<Tutti, 'queries'>, plan: string): Promise<readonly string[]> {
  return filterAsync([executeRunId(plan), planRunId(plan)], async (id) => {
    const run = await queries.run(id);
    return run !== null && !isOver(run.state);
  });
}

/** Whatever is there already says stop as well. */
function placeStopFile({ stop }: Pick<PlanPaths, 'stop'>, text: string): void {
  try {
    writeFileSync(stop, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
