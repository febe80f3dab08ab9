import { recorded } from '../../lib/json.ts';
import type { Entry } from '../entry.ts';
import { rootStepOf, stepIdOf } from '../key.ts';
import type { TaskBegun } from './execute-parts.ts';
import type { TaskState } from './task-state.ts';

/**
 * Selects the begins of a run whose recorded answer is no longer what the record of the plan says: a task was skipped and
 * reopened, an agent gave it up, or a person took it from the run. Such a task is begun again.
 */
export function staleBegins(
  runId: string,
  tasks: readonly { readonly id: string; readonly state: TaskState }[],
): (entry: Pick<Entry, 'key' | 'state'>) => boolean {
  const states = new Map(tasks.map(({ id, state }) => [id, state]));
  return ({ key, state }) => {
    const id = rootStepOf(key);
    const now = states.get(id);
    if (now === undefined || state.at !== 'done' || stepIdOf(key) !== `${id}/begin`) return false;
    return !holds(recorded<TaskBegun>(state.value), now, runId);
  };
}

function holds(begun: TaskBegun, now: TaskState, runId: string): boolean {
  switch (begun.at) {
    case 'skipped':
      return now.at === 'skipped';
    case 'taken':
      return now.at === 'running' && now.by === begun.by;
    case 'done':
      return now.at === 'done' && now.attempt === begun.attempt;
    case 'begun':
      return hasAttempt(now, begun.attempt) && (now.at !== 'running' || now.by === runId);
  }
}

function hasAttempt(state: TaskState, attempt: number): boolean {
  return state.at !== 'pending' && state.at !== 'skipped' && state.attempt === attempt;
}
