/** What the specification wants, without files: `artifacts/capability-map.json`. Member names are the document's. */
export interface CapabilityMap {
  readonly version: '1.0';
  readonly spec_checksum: string;
  readonly domains: readonly Domain[];
  readonly flows: readonly BehaviorFlow[];
  readonly coverage: Coverage;
  readonly phase_filtering: PhaseFiltering;
}

interface Domain {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly capabilities: readonly Capability[];
}

interface Capability {
  readonly id: string;
  readonly name: string;
  readonly spec_ref: SpecRef;
  readonly behaviors: readonly Behavior[];
}

/** A place in the specification; a quote must occur there word for word. */
export type SpecRef = string | { readonly quote: string; readonly location: string };

export type BehaviorType = 'input' | 'process' | 'state' | 'output' | 'activation';

export interface Behavior {
  readonly id: string;
  readonly name: string;
  readonly type: BehaviorType;
  readonly description: string;
}

export interface BehaviorFlow {
  readonly id: string;
  readonly name: string;
  /** The thinnest way through the whole system: it is built before anything else. */
  readonly is_steel_thread: boolean;
  readonly steps: readonly {
    readonly order: number;
    readonly behavior_id: string;
    readonly description: string;
  }[];
}

interface Coverage {
  readonly total_requirements: number;
  readonly covered_requirements: number;
  readonly gaps: readonly string[];
}

interface PhaseFiltering {
  readonly active_phase: 1;
  readonly excluded_phases: readonly {
    readonly phase: number;
    readonly heading: string;
    readonly location: string;
    readonly summary: string;
  }[];
  readonly total_excluded_requirements: number;
}

export interface PlacedBehavior {
  readonly behavior: Behavior;
  readonly capability: Capability;
  readonly domain: Domain;
}

/** Every behavior with where it belongs, in the order of the map. */
export function behaviorsOf({ domains }: Pick<CapabilityMap, 'domains'>): readonly PlacedBehavior[] {
  return domains.flatMap((domain) =>
    domain.capabilities.flatMap((capability) =>
      capability.behaviors.map((behavior) => ({ behavior, capability, domain })),
    ),
  );
}

export function steelThreadOf({ flows }: Pick<CapabilityMap, 'flows'>): readonly string[] {
  return flows
    .filter(({ is_steel_thread }) => is_steel_thread)
    .flatMap(({ steps }) =>
      steps.toSorted((a, b) => a.order - b.order).map(({ behavior_id }) => behavior_id),
    );
}
