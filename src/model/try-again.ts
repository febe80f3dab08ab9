import { outcomeOfState, type Entry } from './entry.ts';
import { isAgentQuestion, rootStepOf } from './key.ts';

/** Steps that stopped because the budget refused one of their launches. */
function stoppedByBudget(entries: readonly Entry[]): ReadonlySet<string> {
  const refused = entries.filter(({ state }) => state.at === 'failed' && state.failure.reason === 'budget');
  return new Set(refused.map(({ key }) => rootStepOf(key)));
}

/**
 * What runs again when a person tries failed steps again: the whole step, because what did not succeed has no claim to be kept.
 * A step that stopped for its budget continues instead: what it paid for stays, and what was refused is launched. What people
 * answered to agents stays in both cases. `edited`: steps that were edited since; what succeeded in them stays too, so that a
 * gate is fixed without paying its agent again.
 */
export function runsAgain(
  entries: readonly Entry[],
  failed: ReadonlySet<string>,
  edited: ReadonlySet<string> = new Set(),
): (entry: Pick<Entry, 'key' | 'state'>) => boolean {
  const stopped = stoppedByBudget(entries);
  return ({ key, state }) => {
    const step = rootStepOf(key);
    if (!failed.has(step) || isAgentQuestion(key)) return false;
    if (stopped.has(step)) return state.at === 'failed';
    return !edited.has(step) || outcomeOfState(state) !== 'SUCCESS';
  };
}
