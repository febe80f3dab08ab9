import { type Json, recorded } from '../../lib/json.ts';
import type { Failure } from '../../model/failure.ts';
import { gravestOf, type Outcome } from '../../model/outcome.ts';

/** How one task of a plan ended; what depends on it stands on `produced` only. */
export type TaskVerdict =
  | {
      readonly at: 'done';
      readonly id: string;
      readonly produced: string;
      readonly attempt: number;
      readonly summary: string;
      /** `before`: not in this run. */
      readonly when: 'now' | 'before';
    }
  | { readonly at: 'failed'; readonly id: string; readonly failure: Failure }
  /** `cause` did not come about, and everything behind it waits for it. */
  | { readonly at: 'blocked'; readonly id: string; readonly cause: string; readonly reason: string }
  | { readonly at: 'skipped'; readonly id: string; readonly reason: string }
  /** Not asked for. */
  | { readonly at: 'left'; readonly id: string };

export interface ExecuteValue {
  readonly tasks: readonly TaskVerdict[];
}

export function outcomeOfTask(verdict: TaskVerdict): Outcome {
  switch (verdict.at) {
    case 'done':
    case 'left':
      return 'SUCCESS';
    case 'failed':
      return verdict.failure.outcome;
    case 'blocked':
    case 'skipped':
      return 'FAILURE';
  }
}

/** What failed names the whole; without a failure, something that was skipped makes it a part of a success. */
export function endOfExecute(value: Json): { readonly outcome: Outcome; readonly message: string | null } {
  const { tasks } = recorded<ExecuteValue>(value);
  const failed = tasks.filter((task) => task.at === 'failed');
  const blocked = tasks.filter(({ at }) => at === 'blocked').map(({ id }) => id);
  const behind = blocked.length === 0 ? '' : `; blocked: ${blocked.join(', ')}`;
  if (failed.length > 0) {
    const message = failed.map(({ id, failure }) => `${id}: ${failure.message}`).join('; ');
    return { outcome: gravestOf(failed.map(outcomeOfTask)), message: `${message}${behind}` };
  }
  const skipped = tasks.filter(({ at }) => at === 'skipped').map(({ id }) => id);
  if (skipped.length + blocked.length > 0) {
    return { outcome: 'PARTIAL_SUCCESS', message: `skipped: ${skipped.join(', ')}${behind}` };
  }
  return { outcome: 'SUCCESS', message: null };
}
