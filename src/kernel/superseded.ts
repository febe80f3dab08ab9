import { type Entry, isLaunchable } from '../model/entry.ts';
import { rootStepOf, stepIdOf } from '../model/key.ts';

/**
 * Whether a workflow that waits for `awaited` can no longer ask for a key that an earlier life of the run left waiting. A
 * launched turn is paid for, so everything in doubt is kept until the workflow returns: it may need a while to come as far
 * as it had come before. Two things leave no doubt:
 * the step is no longer in the plan; or the step is at a turn that no earlier life asked for. The key of a later turn
 * contains the key of the turn before it, so a new turn leads to new keys only. The command of a step counts like a turn.
 */
export function isSuperseded(
  key: string,
  steps: ReadonlySet<string> | null,
  awaited: readonly Pick<Entry, 'key' | 'kind' | 'attempt'>[],
): boolean {
  const step = rootStepOf(key);
  if (steps !== null && !steps.has(step)) return true;
  return awaited.some((now) => {
    if (now.attempt > 1 || rootStepOf(now.key) !== step) return false;
    return (
      now.kind === 'session' || (now.kind === 'task' && isCommandOf(step, now.key) && isCommandOf(step, key))
    );
  });
}

function isCommandOf(step: string, key: string): boolean {
  return stepIdOf(key) === step;
}

/**
 * Whether a part that an earlier life of the run opened and never launched, as when it was halted then, stands for one that the
 * workflow has asked for by another key since. Ending it loses nothing: a workflow that asks for it again opens it again.
 */
export function isReplaced(
  { key, kind, state }: Pick<Entry, 'key' | 'kind' | 'state'>,
  asked: ReadonlySet<string>,
): boolean {
  return state.at === 'open' && isLaunchable(kind) && asked.has(stepIdOf(key));
}
