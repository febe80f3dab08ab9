import { isObject, recorded } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { type Entry, isWaiting } from '../../model/entry.ts';
import { rootStepOf, stepIdOf } from '../../model/key.ts';
import { limitedTurn } from '../../model/limit-pause.ts';
import type { TurnOutcome } from '../../model/turn.ts';
import { planOfRunId, retryCommand } from '../../model/plan/task-row.ts';
import type { ExecuteInput } from '../../model/plan/execute-input.ts';
import type { Run } from '../../model/run.ts';
import { runsAgain } from '../../model/try-again.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { faultOfEditedTasks } from '../plan-record/edited-tasks.ts';
import { faultOfRefusedPlan } from '../plan-record/refused-plan.ts';
import { decideToContinue } from '../people/decide-continuing.ts';
import { identifyCaller } from '../people/identify-caller.ts';
import { faultOfRun } from '../recovery/database-fault.ts';
import { takeUpLostAttempts } from '../recovery/lost-attempts.ts';
import { faultOfOrphaned } from '../recovery/orphaned-attempts.ts';
import { faultOfLostPlan } from '../recovery/lost-plan.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { originOfAgents } from '../sessions/origin.ts';
import { type RunStatus, runStatus } from '../status/run-status.ts';
import { failedSteps, interruptedSteps } from '../status/step-status.ts';
import type { Tutti } from '../tutti.ts';
import { outlinesByName } from '../../model/outline.ts';
import { isAdvancing } from '../status/living-holder.ts';
import { required } from './find-run.ts';
import { amendInput, forgetOnceOnly } from './once-only.ts';
import { inputForHere } from './moved-run.ts';
import { refreshAgents } from './refresh-agents.ts';
import { findStaleParts } from './stale-parts.ts';
import { type ChangedRun, changeRun, commandOn, heldBy, type MayDetach } from './run-holder.ts';
import { finishStop, refuseUnrecorded } from './stop-run.ts';
import { familyOf } from '../../model/family.ts';

/** Lets what is under way finish, and starts nothing new. */
export async function haltRun(
  tutti: Tutti,
  runId: string,
  reason: string,
): Promise<Result<'halting' | 'halted', Refusal>> {
  const run = await required(tutti, runId);
  if (!run.ok) return run;
  if (!(await tutti.store.halt(runId, reason, identifyCaller(tutti.caller).name))) {
    const { at } = run.value.state;
    if (at === 'halted' || at === 'halting') return ok(at);
    return err(refusal('USAGE', `run ${runId} is over`, `look at it: tutti status ${runId}`));
  }
  return ok('halting');
}

export type Resumed = ResumedSteps & {
  /** The run was still being stopped, and that was finished first. */
  readonly finishedStop: boolean;
  /** A sentence for the person where the run keeps agents of a driver that the configuration no longer names. */
  readonly note: string | null;
};

type ResumedSteps = { readonly runId: string } & (
  | { readonly how: 'resumed' | 'running' }
  | { readonly how: 'reopened'; readonly steps: readonly string[] }
);

export interface ResumeManner extends MayDetach {
  /** Take agent files again, also for a run with successful turns; absent: the run keeps its agents. */
  readonly refresh?: boolean;
}

/**
 * Makes a run go on: back from a halt or a stop, or with its failed steps (or the named ones) open again. An agent continues
 * nothing that a person halted or stopped, and starts no agents by it that it could not start otherwise. A plan that a person
 * refused is not continued, nor one whose tasks were edited since.
 */
export async function resumeRun(
  tutti: Tutti,
  runId: string,
  asked: readonly string[],
  how: ResumeManner = {},
): Promise<Result<Resumed, Refusal>> {
  const unrecorded = await refuseUnrecorded(tutti, runId);
  if (unrecorded !== null) return err(unrecorded);
  const finishedStop = await finishStop(tutti, runId);
  if (!finishedStop.ok) return finishedStop;
  const run = await required(tutti, runId);
  if (!run.ok) return run;
  const fault =
    (await faultOfLostPlan(tutti, runId)) ??
    (await faultOfRefusedPlan(tutti, runId)) ??
    (await faultOfRun(tutti.paths, tutti.store, runId)) ??
    (await faultOfOrphaned(tutti, runId));
  if (fault !== null) return err(fault);
  const status = await runStatus(tutti, outlinesByName, runId);
  const known = new Set(status?.steps.map(({ id }) => id));
  const named = asked.map((step) => ({ step, ids: expandStep(step, [...known]) }));
  const unknown = named.find(({ ids }) => ids.length === 0)?.step;
  const steps = named.flatMap(({ ids }) => ids);
  if (unknown !== undefined) {
    return err(
      refusal(
        'USAGE',
        `run ${runId} has no step '${unknown.slice(0, 80)}'${didYouMean(unknown, [...known])}`,
        `see its steps: tutti status ${runId}`,
      ),
    );
  }
  const holder = await commandOn(tutti, runId);
  // A command that lets its run halt continues it by itself when the halt is lifted.
  const lifts = steps.length === 0 && run.value.state.at === 'halting';
  if (holder !== null && !lifts) return err(await heldBy(tutti, runId, holder));
  const decided = await decideToContinue(tutti, runId);
  if (!decided.ok) return decided;
  const agent = await agentOf(tutti, run.value);
  const origin = agent === null ? ok(null) : await originOfAgents(tutti, agent);
  if (!origin.ok) return origin;
  const continued = await takeUpLost(tutti, run.value);
  if (!continued.ok) return continued;
  const edited = await faultOfEditedTasks(tutti, runId);
  if (edited !== null) return err(edited);
  tutti.wishes.release(runId);
  const here = await inputForHere(tutti, run.value);
  if (!here.ok) return here;
  const { refresh, detach = false } = how;
  const seen = run.value;
  const manner = holder === null ? { detach, seen } : { detach, seen, beside: holder.id };
  const changed = await changeRun(tutti, runId, manner, async (change) => {
    if (here.value !== null) await amendInput(tutti, run.value, here.value, change);
    const keeps = refresh === undefined || (await isAdvancing(tutti, runId));
    const note = keeps ? null : await refreshAgents(tutti, runId, refresh, change);
    const resumed = await continueRun(tutti, run.value, { steps, status, change });
    return resumed.ok ? ok({ ...resumed.value, finishedStop: finishedStop.value, note }) : resumed;
  });
  return changed.ok ? changed.value : changed;
}

/** Workspaces of the run that the plan's record does not know. */
async function takeUpLost(tutti: Tutti, run: Run): Promise<Result<unknown, Refusal>> {
  if (!familyOf(run).hasTasks) return Promise.resolve(ok(null));
  const input = recorded<ExecuteInput>(await tutti.queries.input(run.id));
  return takeUpLostAttempts(tutti, input, input);
}

/** The steps that a word means: that of the name, else all whose path begins with it. `ospec` is every stage of `ospec`. */
function expandStep(word: string, known: readonly string[]): readonly string[] {
  return known.includes(word) ? [word] : known.filter((id) => id.startsWith(`${word}.`));
}

interface Continuing {
  readonly steps: readonly string[];
  readonly status: RunStatus | null;
  readonly change: ChangedRun;
}

async function continueRun(
  tutti: Tutti,
  run: Run,
  { steps, status, change }: Continuing,
): Promise<Result<ResumedSteps, Refusal>> {
  const { id: runId, state } = run;
  const isStale = await findStaleParts(tutti, run);
  const failed = failedSteps(status?.steps ?? []);
  if (steps.length === 0 && !endedByItself(run, failed)) {
    await forgetOnceOnly(tutti, run, change);
    await change.resume();
    if (!(await isAdvancing(tutti, runId))) await change.reopen(isStale);
    await endLimitPauses(tutti, runId);
    return ok({ runId, how: state.at === 'running' ? 'running' : 'resumed' });
  }
  const chosen = steps.length > 0 ? new Set(steps) : failed;
  // A task of a plan is tried again as a whole: its attempt is over.
  const interrupted = familyOf(run).hasTasks ? undefined : interruptedSteps(status?.steps ?? []);
  const isFailed = runsAgain(await tutti.queries.entries(runId), chosen, { interrupted });
  const select = (entry: Entry): boolean =>
    steps.length > 0 ? chosen.has(rootStepOf(entry.key)) : isFailed(entry) || isStale(entry);
  const continues = (await tutti.queries.entries(runId)).some(
    (entry) => !isWaiting(entry.state) && select(entry),
  );
  if (continues) await forgetOnceOnly(tutti, run, change);
  const keys = await change.reopen(select);
  if (keys.length === 0) return err(nothingToResume(runId, status?.skipped ?? null));
  const again = [...new Set(keys.map(rootStepOf))];
  const known = new Set(status?.steps.map(({ id }) => id));
  return ok({ runId, how: 'reopened', steps: again.filter((step) => known.has(step)) });
}

/** What is skipped stays skipped until a person reopens it. */
function nothingToResume(runId: string, skipped: string | null): Refusal {
  if (skipped === null) {
    const message = `run ${runId} succeeded: there is nothing to resume`;
    return refusal('USAGE', message, `look at it: tutti report ${runId}`);
  }
  const message = `nothing of run ${runId} failed, and task ${skipped} was skipped: there is nothing to resume`;
  return refusal('USAGE', message, `do it after all: ${retryCommand(planOfRunId(runId), skipped)}`);
}

/** Somebody who resumes a run wants it to try now, unless the CLI told when its limit ends. */
async function endLimitPauses({ queries, store }: Tutti, runId: string): Promise<void> {
  const entries = await queries.entries(runId);
  const isTold = (turn: string): boolean =>
    entries.some(
      ({ key, kind, state }) =>
        kind === 'session' &&
        state.at === 'done' &&
        stepIdOf(key) === turn &&
        recorded<TurnOutcome>(state.value).resetAt !== null,
    );
  for (const { key, kind, attempt, state } of entries) {
    const turn = limitedTurn(stepIdOf(key));
    if (kind !== 'sleep' || state.at !== 'open' || turn === null || isTold(turn)) continue;
    await store.complete({ runId, key, attempt }, { at: 'done', outcome: 'SUCCESS', value: null }, null);
  }
}

/** An agent of the run; null: it has none. */
async function agentOf({ queries }: Tutti, run: Run): Promise<string | null> {
  const input = await queries.input(run.id);
  const agents = isObject(input) ? input['agents'] : undefined;
  const [first = null] = isObject(agents) ? Object.keys(agents) : [];
  return first ?? (familyOf(run).namesAgents ? null : run.workflow);
}

/** Whether the run was not stopped: one that ended with a turn that was killed has steps that failed. */
function endedByItself({ state, cancelled }: Run, failed: ReadonlySet<string>): boolean {
  return state.at === 'ended' && (state.outcome !== 'INTERRUPTED' || (!cancelled && failed.size > 0));
}
