import { recorded } from '../../lib/json.ts';
import type { Entry } from '../entry.ts';
import { rootStepOf, stepIdOf } from '../key.ts';
import type { TaskBegun } from './execute-parts.ts';
import type { TaskState } from './task-state.ts';

type Begin = Pick<Entry, 'key' | 'state'>;

interface KnownTask {
  readonly id: string;
  readonly state: TaskState;
}

/**
 * Selects the begins of a run that were refused for a reason that the record of the plan no longer has: the task was skipped
 * and is open again, or an agent that had it gave it up. Whether an edit still stands in the way shows when the task is to begin.
 */
export function refusedBegins(runId: string, tasks: readonly KnownTask[]): (entry: Begin) => boolean {
  const states = new Map(tasks.map(({ id, state }) => [id, state]));
  return (entry) => {
    const begun = begunOf(entry);
    const now = states.get(rootStepOf(entry.key));
    const isRefused = begun?.at === 'skipped' || begun?.at === 'taken' || begun?.at === 'edited';
    return isRefused && now !== undefined && !holds(begun, now, runId);
  };
}

/**
 * Selects besides the last begin of each task that the run may no longer stand on: a person took the task from the run, or
 * another one has done it meanwhile. A run that continues with the input that it has begins such a task again; one that is
 * given a new input does so by itself, because attempts are part of it.
 */
export function staleBegins(
  runId: string,
  tasks: readonly KnownTask[],
  entries: readonly Begin[],
): (entry: Begin) => boolean {
  const isRefused = refusedBegins(runId, tasks);
  const begins = new Map(
    entries.flatMap((entry) => (begunOf(entry) === null ? [] : [[rootStepOf(entry.key), entry]])),
  );
  const lost = tasks.flatMap(({ id, state }) => {
    const last = begins.get(id);
    const begun = last === undefined ? null : begunOf(last);
    return last === undefined || begun === null || holds(begun, state, runId) ? [] : [last.key];
  });
  return (entry) => lost.includes(entry.key) || isRefused(entry);
}

/** What a begin was answered; null: the entry is none, or has no answer. */
function begunOf({ key, state }: Begin): TaskBegun | null {
  const isBegin = stepIdOf(key) === `${rootStepOf(key)}/begin`;
  return isBegin && state.at === 'done' ? recorded<TaskBegun>(state.value) : null;
}

function holds(begun: TaskBegun, now: TaskState, runId: string): boolean {
  switch (begun.at) {
    case 'skipped':
      return now.at === 'skipped';
    case 'taken':
      return now.at === 'running' && now.by === begun.by;
    case 'edited':
      return false;
    case 'done':
      return now.at === 'done' && now.attempt === begun.attempt;
    case 'begun':
      return hasAttempt(now, begun.attempt) && (now.at !== 'running' || now.by === runId);
  }
}

function hasAttempt(state: TaskState, attempt: number): boolean {
  return state.at !== 'pending' && state.at !== 'skipped' && state.attempt === attempt;
}
