import { err, ok, type Result } from '../../lib/result.ts';
import { isAlive } from '../../lib/process/identity.ts';
import type { Changer, Holder, Lease } from '../../model/holder.ts';
import { RunHeld } from '../../model/ports/store.ts';
import { isOver } from '../../model/run.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { isDriven } from '../status/living-holder.ts';
import type { Tutti } from '../tutti.ts';

export interface MayDetach {
  /** Leave the run to the conductor. Absent: the caller advances it next, and is recorded with it as its holder. */
  readonly detach?: boolean;
}

/** What a command records with a new run that it advances next, so that no conductor claims the run in between. */
export function leaseOn(tutti: Tutti, { detach = false }: MayDetach): Lease | undefined {
  return detach ? undefined : tutti.lease();
}

/** Whether the project's conductor advances the run. */
export function isConducted(tutti: Tutti, runId: string): boolean {
  const conductor = tutti.queries.conductor();
  const holder = tutti.queries.holder(runId);
  return conductor !== null && holder?.pid === conductor.pid && isDriven(tutti, runId);
}

/**
 * Another command that advances the run, which refuses this one. A conductor may come or go between two looks, so the holder
 * is looked at before and after.
 */
export function commandOn(tutti: Tutti, runId: string): Holder | null {
  const holder = tutti.queries.holder(runId);
  if (holder === null || !isDriven(tutti, runId) || isConducted(tutti, runId)) return null;
  const run = tutti.queries.run(runId);
  if (run === null || isOver(run.state)) return null;
  return tutti.queries.holder(runId)?.id === holder.id ? holder : null;
}

/** Why a command may not change or advance the run now; null: it may. For commands that change more than the run. */
export function refuseHeld(tutti: Tutti, runId: string): Refusal | null {
  const holder = commandOn(tutti, runId);
  return holder === null ? null : heldBy(runId, holder);
}

export function heldBy(runId: string, { pid, host }: Holder): Refusal {
  const message = `run ${runId} is already driven by process ${pid} on ${host}`;
  return refusal('FAILURE', message, `watch it: tutti events ${runId} --follow`);
}

/**
 * Changes a run that exists. Whether the caller may, and the change itself, are one transition: a run that another command
 * advances is refused as it is. The conductor keeps a run that it advances and takes up the change; so does the holder `beside`.
 */
export async function changeRun<T>(
  tutti: Tutti,
  runId: string,
  how: MayDetach & { readonly beside?: string },
  change: (by: Changer) => Promise<T>,
): Promise<Result<T, Refusal>> {
  for (;;) {
    try {
      return ok(await change(changerOf(tutti, runId, how)));
    } catch (error) {
      if (!(error instanceof RunHeld)) throw error;
      // The conductor took the run after it was looked at, or left it.
      if (commandOn(tutti, runId)?.id === error.by.id) return err(heldBy(runId, error.by));
    }
  }
}

function changerOf(
  tutti: Tutti,
  runId: string,
  { detach = false, beside }: MayDetach & { readonly beside?: string },
): Changer {
  const { me, clock, processes, queries } = tutti;
  const conductor = isConducted(tutti, runId) ? queries.holder(runId)?.id : undefined;
  return {
    me,
    monotonic: clock.monotonic(),
    isAlive: (holder) => isAlive(holder, processes),
    until: detach ? null : tutti.lease().until,
    beside: beside ?? conductor ?? null,
  };
}
