import { exitCodeOf, type Outcome, outcomes } from '../outcome.ts';
import { type Layer, type Propagation, propagationOf } from '../propagation.ts';
import { allLayers, type AnyLayer, callingLayers } from './layer.ts';

const above = (first: AnyLayer, last: AnyLayer = 'campaign'): readonly AnyLayer[] =>
  allLayers.slice(allLayers.indexOf(first), allLayers.indexOf(last) + 1);

/** The layers where each outcome begins. A layer also hands up what it does not absorb. */
const origins: Readonly<Record<Outcome, readonly AnyLayer[]>> = {
  SUCCESS: allLayers,
  FAILURE: allLayers,
  DEPTH_EXCEEDED: ['primitive'],
  HUMAN_INPUT: above('orchestrator'),
  NEEDS_REFINEMENT: above('executor', 'coordinator'),
  NEEDS_ESCALATION: above('executor', 'coordinator'),
  PARTIAL_SUCCESS: above('orchestrator'),
  INTERRUPTED: allLayers,
  TIMEOUT: allLayers,
  LIMIT_PAUSED: ['primitive'],
  BUDGET_EXCEEDED: ['primitive'],
  HALTED: above('orchestrator'),
  USAGE: allLayers,
  UNAVAILABLE: allLayers,
};

/** One exit code: which layers may raise it, and what each layer above does with it. */
export interface ExitRow {
  readonly code: number;
  readonly outcome: Outcome;
  readonly raisedBy: readonly AnyLayer[];
  readonly reactions: Readonly<Record<Layer, Propagation>>;
}

export function listExits(): readonly ExitRow[] {
  return outcomes.map((outcome) => ({
    code: exitCodeOf(outcome),
    outcome,
    raisedBy: origins[outcome],
    reactions: {
      orchestrator: propagationOf('orchestrator', outcome),
      coordinator: propagationOf('coordinator', outcome),
      campaign: propagationOf('campaign', outcome),
    },
  }));
}

/** Whether a layer decides about the codes of another one. */
export function isCallingLayer(layer: AnyLayer): layer is Layer {
  return callingLayers.some((each) => each === layer);
}
