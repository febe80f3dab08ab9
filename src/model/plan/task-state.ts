import { err, ok, type Result } from '../../lib/result.ts';

/**
 * ```
 *   pending ──start──▶ running ──complete──▶ done
 *      ▲                  └─────fail───────▶ failed
 *      └──────────── retry, or an edit that changes it ────┘
 * ```
 * `blocked` is no state: a pending task is blocked while something it needs has failed (`boardOf`).
 */
export type TaskState = Written &
  (
    | {
        readonly at: 'pending';
        /** How many attempts there were before; absent: none. Numbers are never used again: branches are named by them. */
        readonly attempts?: number;
      }
    | {
        readonly at: 'running';
        /** A run, or the session or name of a hosted agent. */
        readonly by: string;
        readonly attempt: number;
        readonly since: number;
        /** Commit that holds what the files were like; null where the work happens in a workspace of its own. */
        readonly snapshot: string | null;
        /** Files beyond the declared ones that a person let belong to it, for this attempt. */
        readonly widened?: readonly string[];
      }
    | {
        readonly at: 'done';
        readonly attempt: number;
        readonly since: number;
        readonly endedAt: number;
        readonly files: ChangedFiles;
        readonly verification: Verification;
        /** Of what it produced: dependents run again only when this changes. */
        readonly produced: string;
        /** Of what it was made from (`basisOf`); absent: that is not known, and only its definition counts. */
        readonly basis?: string;
        /** It was done in the operator's own folder; absent: in a workspace, and landed. */
        readonly byHand?: HandWork;
      }
    | {
        readonly at: 'failed';
        readonly attempt: number;
        readonly since: number;
        readonly endedAt: number;
        readonly error: TaskError;
        /** Where its work was put aside; null where there was none. */
        readonly rescue: string | null;
      }
    | {
        readonly at: 'skipped';
        readonly endedAt: number;
        readonly reason: string;
        /** As for `pending`. */
        readonly attempts?: number;
      }
  );

interface Written {
  /** Paths that its finished attempts wrote or removed; absent: none, or an earlier release finished it. */
  readonly written?: readonly string[];
}

export interface ChangedFiles {
  readonly created: readonly string[];
  readonly modified: readonly string[];
}

/** Snapshots of the folder from before and after, and what the task wrote or removed in between. */
export interface HandWork {
  readonly by: string;
  readonly before: string;
  readonly after: string;
  /** Relative to the target. */
  readonly paths: readonly string[];
}

export type ErrorCategory = 'dependency' | 'compilation' | 'test' | 'validation' | 'runtime';
export const errorCategories: readonly ErrorCategory[] = [
  'dependency',
  'compilation',
  'test',
  'validation',
  'runtime',
];

export interface TaskError {
  readonly category: ErrorCategory;
  readonly message: string;
  readonly retryable: boolean;
}

export interface Verification {
  readonly verdict: 'PASS' | 'FAIL';
  readonly criteria: readonly CheckedCriterion[];
}

export interface CheckedCriterion {
  readonly name: string;
  /** `WAIVED`: a person chose to go on without it. */
  readonly status: 'PASS' | 'FAIL' | 'WAIVED';
  readonly evidence: string;
}

type Running = Extract<TaskState, { at: 'running' }>;

/** Refused with a reason in words; the caller puts the task's id in front. */
export type TaskChange = Result<TaskState, string>;

/** The next attempt at a task; finished work is opened again. */
export function newAttempt(
  state: Exclude<TaskState, { at: 'running' | 'skipped' }>,
  begin: Pick<Running, 'by' | 'since' | 'snapshot'>,
): Running {
  const open = state.at === 'done' ? openAgain(state) : state;
  return { at: 'running', attempt: attemptsOf(state) + 1, ...begin, ...writtenOf(open) };
}

/** Words about a task that another assignee has in hand; they follow its id. */
export function describeAssignee(by: string): string {
  return `is being worked on by ${by}`;
}

export function completeTask(
  state: TaskState,
  end: Pick<
    Extract<TaskState, { at: 'done' }>,
    'endedAt' | 'files' | 'verification' | 'produced' | 'basis' | 'byHand' | 'written'
  >,
): TaskChange {
  if (state.at !== 'running') return err(state.at === 'done' ? 'is done already' : 'was not started');
  if (end.verification.verdict !== 'PASS') return err('did not pass its acceptance criteria');
  const { attempt, since } = state;
  const written = [...(state.written ?? []), ...(end.written ?? [])];
  return ok({ at: 'done', attempt, since, ...end, ...writtenOf({ written }) });
}

/** Lets further files belong to a task that somebody does by hand. A run asks such a question by itself. */
export function widenTask(state: TaskState, paths: readonly string[]): TaskChange {
  if (state.at !== 'running') return err('is not being worked on');
  if (state.snapshot === null) return err(`is done by ${state.by}, which asks by itself: tutti inbox`);
  return ok({ ...state, widened: [...new Set([...(state.widened ?? []), ...paths])] });
}

export function failTask(
  state: TaskState,
  end: Pick<Extract<TaskState, { at: 'failed' }>, 'endedAt' | 'error' | 'rescue'>,
): TaskChange {
  if (state.at !== 'running') return err(state.at === 'done' ? 'is done' : 'was not started');
  const { attempt, since } = state;
  return ok({ at: 'failed', attempt, since, ...end, ...writtenOf(state) });
}

/** How many attempts were begun. */
export function attemptsOf(state: TaskState): number {
  switch (state.at) {
    case 'pending':
    case 'skipped':
      return state.attempts ?? 0;
    case 'running':
    case 'done':
    case 'failed':
      return state.attempt;
  }
}

/** Paths that work on it has changed already: how they were before can no longer be seen. */
export function touchedPaths(state: TaskState): readonly string[] {
  const { written = [] } = state;
  return state.at === 'done' ? [...written, ...state.files.created, ...state.files.modified] : written;
}

/** To be done, as if nothing had become of it; only the count of attempts and what they wrote stay. */
export function openAgain(state: TaskState): TaskState {
  return { at: 'pending', ...historyOf(state) };
}

function historyOf(state: TaskState): Written & { readonly attempts?: number } {
  const attempts = attemptsOf(state);
  return { ...(attempts === 0 ? {} : { attempts }), ...writtenOf({ written: touchedPaths(state) }) };
}

function writtenOf({ written = [] }: Written): Written {
  return written.length === 0 ? {} : { written: [...new Set(written)].toSorted() };
}

/** Lets it run again, whatever became of it; only what is being worked on is left alone. */
export function retryTask(state: TaskState): TaskChange {
  return state.at === 'running' ? err(describeAssignee(state.by)) : ok(openAgain(state));
}

export function skipTask(state: TaskState, reason: string, endedAt: number): TaskChange {
  if (state.at === 'done') return err('is done');
  return ok({ at: 'skipped', endedAt, reason, ...historyOf(state) });
}
