import { identifyCaller } from '../app/people/identify-caller.ts';
import type { Refusal } from '../app/refusal.ts';
import type { StoppedUnopened, UnopenedProject } from '../app/runs/stop-unopened.ts';
import { locate } from '../app/tutti.ts';
import type { Context } from './context.ts';

/** Ends processes although the database cannot be opened. The refusal says what was ended, and why it is not recorded. */
export async function stopFirst(
  { folder, env, caller }: Context,
  why: Refusal,
  stop: (project: UnopenedProject, by: string) => Promise<StoppedUnopened | null>,
): Promise<Refusal> {
  const place = locate({ folder, env, caller, despiteConfig: true });
  if (!place.ok) return why;
  const stopped = await stop(place.value, identifyCaller(caller).name);
  if (stopped === null) return why;
  const { processes, left } = stopped;
  if (processes === 0 && left.length === 0)
    return { ...why, message: `nothing was killed, because no process is alive: ${why.message}` };
  const ended = processes === 1 ? '1 process ended' : `${processes} processes ended`;
  const alive = left.length === 0 ? '' : ` (still alive: ${left.join(', ')})`;
  return { ...why, message: `${ended}${alive}, but that is not recorded: ${why.message}` };
}
