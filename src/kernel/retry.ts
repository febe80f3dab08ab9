import { digest } from '../lib/digest.ts';
import type { Json } from '../lib/json.ts';
import { failure, type Failure } from '../model/failure.ts';

/** One failed try of a step: what went wrong, and what the workspace looked like afterwards. */
export interface FailedTry {
  readonly failure: Failure;
  /** What was judged, in facts and never in words: equal facts are the same failure. */
  readonly of: Json;
  /** Digest of what the try produced; equal digests mean that nothing moved. */
  readonly progress: string;
}

export type RetryVerdict =
  | { readonly verdict: 'retry' }
  | { readonly verdict: 'give-up'; readonly failure: Failure };

/**
 * Retry only if something changed (P9). The first failure has nothing to compare with and may be tried again; after
 * that the same failure on the same work is a reason to ask somebody, not to pay once more.
 */
export function mayRetry(tries: readonly FailedTry[], max: number): RetryVerdict {
  const last = tries.at(-1);
  if (last === undefined) return { verdict: 'retry' };
  if (!isRetryable(last.failure)) return { verdict: 'give-up', failure: last.failure };
  if (tries.length > max) return { verdict: 'give-up', failure: last.failure };
  const before = tries.at(-2);
  if (before === undefined || before.progress !== last.progress || factsOf(before) !== factsOf(last)) {
    return { verdict: 'retry' };
  }
  return {
    verdict: 'give-up',
    failure: failure('no-progress', `the same failure twice with nothing changed: ${last.failure.message}`, {
      evidence: { failure: last.failure.message, tries: tries.length },
    }),
  };
}

function factsOf({ failure: { outcome, reason }, of }: FailedTry): string {
  return digest([outcome, reason, of]);
}

/** Trying again cannot help, or is not ours to decide. */
function isRetryable({ outcome, reason }: Failure): boolean {
  // The same cassette has no more turns the second time.
  if (reason === 'unmatched') return false;
  switch (outcome) {
    case 'DEPTH_EXCEEDED':
    case 'BUDGET_EXCEEDED':
    case 'HUMAN_INPUT':
    case 'NEEDS_ESCALATION':
    case 'INTERRUPTED':
    case 'HALTED':
    case 'LIMIT_PAUSED':
    case 'USAGE':
    case 'UNAVAILABLE':
      return false;
    case 'FAILURE':
    case 'NEEDS_REFINEMENT':
    case 'PARTIAL_SUCCESS':
    case 'TIMEOUT':
      return true;
  }
}
