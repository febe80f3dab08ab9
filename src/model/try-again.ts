import { outcomeOfState, type Entry } from './entry.ts';
import { isAgentQuestion, rootStepOf } from './key.ts';

/** Steps that stopped because the budget refused one of their launches. */
function stoppedByBudget(entries: readonly Entry[]): ReadonlySet<string> {
  const refused = entries.filter(({ state }) => state.at === 'failed' && state.failure.reason === 'budget');
  return new Set(refused.map(({ key }) => rootStepOf(key)));
}

function isInterrupted(state: Entry['state']): boolean {
  return state.at !== 'dropped' && outcomeOfState(state) === 'INTERRUPTED';
}

/** What the steps recorded from their first killed turn on, which looked at its work. */
function keysFromKilled(entries: readonly Entry[], steps: ReadonlySet<string>): ReadonlySet<string> {
  const keys = [...steps].flatMap((step) => {
    const own = entries.filter(({ key }) => rootStepOf(key) === step);
    const first = own.findIndex(({ state }) => isInterrupted(state));
    return first < 0 ? [] : own.slice(first).map(({ key }) => key);
  });
  return new Set(keys);
}

/** Steps of which some work is kept. */
interface KeptWork {
  readonly edited?: ReadonlySet<string>;
  readonly interrupted?: ReadonlySet<string> | undefined;
}

/**
 * What runs again when a person tries failed steps again: the whole step, because what did not succeed has no claim to be kept.
 * A step that stopped for its budget continues instead: what it paid for stays, and what was refused is launched. What people
 * answered to agents stays in both cases. `edited`: steps that were edited since; what succeeded in them stays too, so that a
 * gate is fixed without paying its agent again. `interrupted`: steps of which a turn was killed; they continue with that turn, and
 * what they paid for before stays.
 */
export function runsAgain(
  entries: readonly Entry[],
  failed: ReadonlySet<string>,
  { edited = new Set(), interrupted = new Set() }: KeptWork = {},
): (entry: Pick<Entry, 'key' | 'kind' | 'state'>) => boolean {
  const stopped = stoppedByBudget(entries);
  const fromKilled = keysFromKilled(entries, interrupted);
  return ({ key, kind, state }) => {
    const step = rootStepOf(key);
    if (!failed.has(step) || isAgentQuestion(key)) return false;
    if (stopped.has(step)) return state.at === 'failed';
    if (interrupted.has(step)) return isInterrupted(state) || (kind !== 'session' && fromKilled.has(key));
    return !edited.has(step) || outcomeOfState(state) !== 'SUCCESS';
  };
}
