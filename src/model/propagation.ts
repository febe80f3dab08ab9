import type { Outcome } from './outcome.ts';

/** The layers of seed A that call another one. */
export type Layer = 'orchestrator' | 'coordinator' | 'campaign';

/** What a layer does with the end of the layer below. */
export const propagations = [
  /** Continue: next stage, next phase, or verification. */
  'absorb',
  /** Try the child once more, then hand its outcome up. */
  'retry-once-then-raise',
  /** Hand the outcome up as it is, after cleaning up. */
  'raise',
  /** Call the child again with a resolution. */
  'resolve-and-reinvoke',
  /** Note it and try once more. */
  'log-and-retry-once',
  /** Run only what failed again. */
  'retry-failed-parts',
  /** Keep what passed and continue. */
  'log-partial',
  /** Note it and put it before a person. */
  'escalate',
  /** Ask a person. */
  'ask-person',
  /** Wait until the limit resets; consumes no retry. */
  'wait',
] as const;

export type Propagation = (typeof propagations)[number];

type Row = Readonly<Record<Layer, Propagation>>;

const same = (propagation: Propagation): Row => ({
  orchestrator: propagation,
  coordinator: propagation,
  campaign: propagation,
});

/** Seed A §5's table as data, completed for the outcomes the seed does not know. */
const table: Readonly<Record<Outcome, Row>> = {
  SUCCESS: same('absorb'),
  FAILURE: {
    orchestrator: 'retry-once-then-raise',
    coordinator: 'retry-once-then-raise',
    campaign: 'escalate',
  },
  DEPTH_EXCEEDED: same('raise'),
  HUMAN_INPUT: { orchestrator: 'raise', coordinator: 'raise', campaign: 'ask-person' },
  NEEDS_REFINEMENT: {
    orchestrator: 'raise',
    coordinator: 'resolve-and-reinvoke',
    campaign: 'log-and-retry-once',
  },
  NEEDS_ESCALATION: { orchestrator: 'raise', coordinator: 'raise', campaign: 'ask-person' },
  PARTIAL_SUCCESS: {
    orchestrator: 'retry-failed-parts',
    coordinator: 'retry-failed-parts',
    campaign: 'log-partial',
  },
  INTERRUPTED: same('raise'),
  // Seed A's stage protocol: a timeout is killed, then tried once more.
  TIMEOUT: {
    orchestrator: 'retry-once-then-raise',
    coordinator: 'retry-once-then-raise',
    campaign: 'escalate',
  },
  LIMIT_PAUSED: same('wait'),
  BUDGET_EXCEEDED: same('raise'),
  HALTED: same('raise'),
  USAGE: same('raise'),
  UNAVAILABLE: same('raise'),
};

export function propagationOf(layer: Layer, child: Outcome): Propagation {
  return table[child][layer];
}
