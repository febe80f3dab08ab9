import { type BadOutcome, gravestOf, type Outcome } from '../outcome.ts';
import { propagationOf } from '../propagation.ts';
import { callingLayers } from './layer.ts';

/** How one part of a layer ended. */
export type PartEnd =
  | { readonly kind: 'passed'; readonly artifact: string | null }
  | { readonly kind: 'failed'; readonly outcome: BadOutcome; readonly error: string }
  /** It never started, because an earlier end stopped the layer. */
  | { readonly kind: 'not-run' };

/** A part with its end, as a layer reports it. */
export interface EndedPart {
  readonly name: string;
  readonly required: boolean;
  readonly end: PartEnd;
}

/**
 * The outcome of a whole from its parts. A required failure keeps its own outcome, the gravest first. If only optional parts
 * failed it is PARTIAL_SUCCESS, except for outcomes that no layer may absorb. `stopped` says why parts did not start.
 */
export function judgeParts(parts: readonly EndedPart[], stopped: BadOutcome | null = null): Outcome {
  const failures = parts.flatMap(({ required, end }) =>
    end.kind === 'failed' ? [{ required, outcome: end.outcome }] : [],
  );
  const raised = failures.filter(({ required, outcome }) => required || isNeverAbsorbed(outcome));
  const outcomes = [...raised.map(({ outcome }) => outcome), ...(stopped === null ? [] : [stopped])];
  if (outcomes.length > 0) return gravestOf(outcomes);
  if (parts.some(({ required, end }) => required && end.kind === 'not-run')) return 'FAILURE';
  return parts.every(({ end }) => end.kind === 'passed') ? 'SUCCESS' : 'PARTIAL_SUCCESS';
}

/** Whether every layer hands this outcome up as it is. */
export function isNeverAbsorbed(outcome: Outcome): boolean {
  return callingLayers.every((layer) => propagationOf(layer, outcome) === 'raise');
}
