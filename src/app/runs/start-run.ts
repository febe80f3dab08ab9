import { statSync } from 'node:fs';
import { isSafeName, slug, timestampId } from '../../lib/ids.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { BudgetLimits } from '../../model/budget.ts';
import type { FamilyName } from '../../model/family.ts';
import { outlinesByName } from '../../model/outline.ts';
import type { NewRun } from '../../model/ports/store.ts';
import type { Run } from '../../model/run.ts';
import { planRunId } from '../../model/plan/task-row.ts';
import { runsAgain } from '../../model/try-again.ts';
import { decideCeilings } from '../people/decide-ceilings.ts';
import { decideToContinue } from '../people/decide-continuing.ts';
import { wasUsed } from '../recovery/database-fault.ts';
import { findKeptRuns } from '../recovery/kept-runs.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { type Origin, originOf, originOfAgents } from '../sessions/origin.ts';
import { runStatus } from '../status/run-status.ts';
import { failedSteps, interruptedSteps } from '../status/step-status.ts';
import type { Tutti } from '../tutti.ts';
import { changeRun, type MayDetach, refuseHeld } from './run-holder.ts';
import { refuseUnrecorded } from './stop-run.ts';

export interface Started {
  readonly runId: string;
  /** A known id is the same run with another input. */
  readonly how: 'started' | 'amended';
  /** A sentence for the person where the run keeps agents of a driver that the configuration no longer names. */
  readonly note: string | null;
}

/** Why a person's words cannot be the id of a run; null: they can, or there are none. */
export function refuseRunId(asked: string | null): Refusal | null {
  if (asked === null || isSafeName(asked)) return null;
  const hint = `choose another, for example: --run-id ${slug(asked, 60)}`;
  return refusal('USAGE', `'${asked.slice(0, 80)}' cannot be a run id: letters, digits, - and _ only`, hint);
}

type Searched = Pick<Tutti, 'paths' | 'env'> & Partial<Pick<Tutti, 'store' | 'queries'>>;

/**
 * Why a run may not get an id that a person chose: a run of a removed state has it, and its finished turns would be paid again.
 * Null: none has it. `place`: the project, with its store once it has one.
 */
export async function refuseRemovedId(place: Searched, asked: string | null): Promise<Refusal | null> {
  const removed = asked === null ? null : await findRemoved(place, asked);
  if (removed === null) return null;
  const message = `run ${asked} was recorded in a .tutti/ that was deleted here, and starting it again would pay its finished turns again`;
  return refusal('USAGE', message, `restore it: ${removed.restore}; or give another --run-id`);
}

/** The same for the name of a plan. A project that was itself deleted and made again since has another plan of that name. */
export async function refuseRemovedPlan(place: Searched, plan: string): Promise<Refusal | null> {
  const removed = await findRemoved(place, planRunId(plan));
  const madeAt = statSync(place.paths.root, { throwIfNoEntry: false })?.birthtimeMs ?? 0;
  if (removed === null || madeAt > removed.startedAt) return null;
  const message = `plan ${plan} was recorded in a .tutti/ that was deleted here, and planning it again would pay its finished turns again`;
  return refusal('USAGE', message, `restore it: ${removed.restore}; or plan under another name: --plan NAME`);
}

interface RemovedRun {
  readonly startedAt: number;
  /** The command that restores it. */
  readonly restore: string;
}

/** Null: no removed state has a run of this id, or the project has one. */
async function findRemoved(place: Searched, id: string): Promise<RemovedRun | null> {
  if (((await place.queries?.run(id)) ?? null) !== null) return null;
  const own = (await place.store?.lineage())?.id ?? null;
  if (own === null && wasUsed(place.paths)) return null;
  const kept = findKeptRuns(place, own).find((run) => run.id === id);
  if (kept === undefined) return null;
  return { startedAt: kept.startedAt, restore: own === null ? 'tutti recover' : 'tutti recover --removed' };
}

export async function freshRunId(tutti: Tutti, name: string): Promise<string> {
  const base = `${slug(name)}-${timestampId(tutti.clock.wall())}`;
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? base : `${base}-${n}`;
    if ((await tutti.queries.run(id)) === null) return id;
  }
}

interface WantedRun {
  readonly runId: string;
  readonly workflow: FamilyName;
  /** What people call a run of that workflow: `a flow`. */
  readonly noun: string;
  readonly limits: BudgetLimits;
  /** One of the agents that it starts; null: it starts none. */
  readonly agent: string | null;
}

/** A run that the caller may start, or amend if it is known. */
export interface Startable {
  readonly known: Run | null;
  readonly origin: Origin;
}

/** Whether the caller may start or amend the run: nobody else has it, and no decision is left to a person. */
export async function mayStart(tutti: Tutti, wanted: WantedRun): Promise<Result<Startable, Refusal>> {
  const { runId, workflow, noun, limits, agent } = wanted;
  const known = await tutti.queries.run(runId);
  if (known !== null && known.workflow !== workflow) {
    const message = `run ${runId} is a ${known.workflow}, not ${noun}`;
    return err(refusal('USAGE', message, `look at it: tutti status ${runId}`));
  }
  const held = (await refuseUnrecorded(tutti, runId)) ?? (await refuseHeld(tutti, runId));
  if (held !== null) return err(held);
  const continued = await decideToContinue(tutti, runId);
  if (!continued.ok) return continued;
  const raised = await decideCeilings(tutti, runId, limits);
  if (!raised.ok) return raised;
  const origin = agent === null ? ok(await originOf(tutti)) : await originOfAgents(tutti, agent);
  // A stop that is kept is of an earlier run of that name, whose record was removed.
  if (known === null) tutti.wishes.forget(runId);
  return origin.ok ? ok({ known, origin: origin.value }) : origin;
}

/**
 * Gives a known run another input, and opens again what failed or was interrupted. `edited`: steps that are different now; what
 * succeeded in them stays.
 */
export async function amendRun(
  tutti: Tutti,
  runId: string,
  how: MayDetach,
  {
    edited,
    ...next
  }: Pick<NewRun, 'input' | 'limits' | 'concurrency'> & {
    readonly edited: ReadonlySet<string>;
  },
): Promise<Result<null, Refusal>> {
  // Looked at before the amendment: a run that has ended knows best how its steps did.
  const steps = (await runStatus(tutti, outlinesByName, runId))?.steps ?? [];
  const interrupted = interruptedSteps(steps);
  const select = runsAgain(await tutti.queries.entries(runId), failedSteps(steps), { edited, interrupted });
  return changeRun(tutti, runId, how, async (run) => {
    await run.amend(next);
    await run.reopen(select);
    return null;
  });
}
