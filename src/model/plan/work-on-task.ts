import { err, ok } from '../../lib/result.ts';
import type { TaskBegun } from './execute-parts.ts';
import {
  completeTask,
  describeAssignee,
  failTask,
  newAttempt,
  type TaskChange,
  type TaskState,
} from './task-state.ts';

/*
 * What working on a task decides, whoever does the work: a run of Tutti, or an agent that a person or another program conducts.
 */

type Running = Extract<TaskState, { at: 'running' }>;

/** An attempt that an assignee wants to begin. */
export interface BeginWish extends Pick<Running, 'by' | 'since' | 'snapshot'> {
  /** Whether the name stands for one assignee, so that what it asks for twice is asked for once. */
  readonly isOne: boolean;
  /** Number of the attempt that does finished work again; absent: finished work stays. */
  readonly redo?: number;
  /** Why the task is not begun by the definition that the assignee has; absent: it is the one that counts. */
  readonly edited?: string | null;
}

export interface BeginDecision {
  readonly state: TaskState;
  readonly begun: TaskBegun;
}

/**
 * Gives a task to an assignee, unless it is done, skipped, or in the hands of another one. An edited task gets no new attempt;
 * one that was begun before the edit continues.
 */
export function decideBegin(state: TaskState, wish: BeginWish): BeginDecision {
  const { by, isOne, redo = 0 } = wish;
  switch (state.at) {
    case 'running':
      return state.by === by && isOne ? begin(state) : { state, begun: { at: 'taken', by: state.by } };
    case 'skipped':
      return { state, begun: { at: 'skipped', reason: state.reason } };
    case 'done': {
      const { attempt, produced } = state;
      if (attempt >= redo) return { state, begun: { at: 'done', attempt, produced } };
      return beginNew(state, wish);
    }
    case 'pending':
    case 'failed':
      return beginNew(state, wish);
  }
}

function beginNew(
  state: Parameters<typeof newAttempt>[0],
  { by, since, snapshot, edited = null }: BeginWish,
): BeginDecision {
  if (edited !== null) return { state, begun: { at: 'edited', finding: edited } };
  return begin(newAttempt(state, { by, since, snapshot }));
}

function begin(state: Running): BeginDecision {
  return { state, begun: { at: 'begun', attempt: state.attempt, since: state.since } };
}

/** Why an assignee did not get a task, in words that follow its id; null: it did. */
export function refusedBegin(begun: TaskBegun): string | null {
  switch (begun.at) {
    case 'begun':
      return null;
    case 'done':
      return 'is done';
    case 'skipped':
      return 'was skipped';
    case 'taken':
      return describeAssignee(begun.by);
    case 'edited':
      return `was not begun: ${begun.finding}`;
  }
}

/** Begins a task, or says why not. */
export function startTask(
  state: TaskState,
  wish: Omit<BeginWish, 'isOne'> & { isOne?: boolean },
): TaskChange {
  const decided = decideBegin(state, { isOne: true, ...wish });
  const refused = refusedBegin(decided.begun);
  return refused === null ? ok(decided.state) : err(refused);
}

/** The attempt that is over. */
export interface EndingAttempt {
  readonly attempt: number;
  /** When it began; null: its number says it all. */
  readonly since: number | null;
  /** Whether its end may be recorded already: an operation is done over after a crash. */
  readonly isRepeated: boolean;
}

export type TaskEnd =
  | ({ readonly at: 'done' } & Parameters<typeof completeTask>[1])
  | ({ readonly at: 'failed' } & Parameters<typeof failTask>[1]);

/** Ends the very attempt that was worked on. */
export function decideEnd(state: TaskState, ending: EndingAttempt, end: TaskEnd): TaskChange {
  const { attempt, since, isRepeated } = ending;
  const isOver = state.at === 'done' || state.at === 'failed';
  if (isRepeated && isOver && state.attempt === attempt) return ok(state);
  if (state.at === 'running' && (state.attempt !== attempt || (since !== null && state.since !== since))) {
    return err(`was begun again and ${describeAssignee(state.by)}`);
  }
  if (end.at === 'failed') {
    const { at: _failed, ...how } = end;
    return failTask(state, how);
  }
  const { at: _done, ...how } = end;
  return completeTask(state, how);
}
