import { digestText } from '../lib/digest.ts';
import { failure, type Failure } from '../model/failure.ts';

/** One failed try of a step: what went wrong, and what the workspace looked like afterwards. */
export interface FailedTry {
  readonly failure: Failure;
  /** Digest of what the try produced; equal digests mean that nothing moved. */
  readonly progress: string;
}

export type RetryVerdict =
  | { readonly verdict: 'retry' }
  | { readonly verdict: 'give-up'; readonly failure: Failure };

/**
 * A name for a kind of failure: times, addresses, line numbers and temporary names do not make it a different one.
 */
export function fingerprint({ outcome, reason, message, evidence }: Failure): string {
  const text = `${outcome} ${reason} ${message} ${evidence === undefined ? '' : JSON.stringify(evidence)}`;
  return digestText(
    text
      .replaceAll(/\b[0-9a-f]{7,}\b/gi, '#')
      .replaceAll(/\/tmp\/\S+/g, '/tmp/#')
      .replaceAll(/\d+([.,:]\d+)*/g, '#')
      .replaceAll(/\s+/g, ' '),
  );
}

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
  const same =
    before !== undefined &&
    before.progress === last.progress &&
    fingerprint(before.failure) === fingerprint(last.failure);
  if (!same) return { verdict: 'retry' };
  return {
    verdict: 'give-up',
    failure: failure('no-progress', `the same failure twice with nothing changed: ${last.failure.message}`, {
      evidence: { failure: last.failure.message, tries: tries.length },
    }),
  };
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
