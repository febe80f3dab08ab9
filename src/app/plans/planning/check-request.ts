import type { Result } from '../../../lib/result.ts';
import type { CheckedArtifact } from '../../../model/plan/plan-check.ts';
import type { PlanFacts } from '../../../model/plan/plan-facts.ts';
import type { ArtifactName, Made, PlanChange, PlanRecord } from '../../../model/plan/plan-record.ts';
import type { PlanPhase } from '../../../model/plan/phase.ts';
import type { Problem } from '../../../model/schemas/problem.ts';
import type { HostParts } from '../../host/host-parts.ts';
import type { PlanPaths } from '../paths.ts';

/** What is to be looked at, as it is recorded with the host task. */
export interface CheckRequest {
  readonly plan: string;
  readonly artifact: ArtifactName;
  /** The phase that it closes: tasks are looked at in two. */
  readonly phase: Extract<PlanPhase, 'logical' | 'physical' | 'definition' | 'sequencing'>;
  /** Digest of what it is compared with. */
  readonly before: string | null;
  /** Digest of the capability map that it must have been made from. */
  readonly capabilities?: string;
  /** Digest of a capability map that it may have been made from, if the content is the same. */
  readonly same?: string | null;
  /** Work of each task when it was verified. */
  readonly works?: Readonly<Record<string, string>>;
  /** Digest of the tasks then. */
  readonly verified?: string;
  /** The work that left it. */
  readonly made?: Made;
}

/** A plan's files as they are now, and what is known about them. */
export interface PlanPlace {
  readonly parts: HostParts;
  readonly record: PlanRecord;
  readonly paths: PlanPaths;
  readonly facts: PlanFacts;
}

export type Looked = Result<
  {
    readonly checked: CheckedArtifact;
    /** Makes it count, in one transaction. */
    readonly take: (advanced: (record: PlanRecord) => PlanChange) => Promise<Result<unknown, string>>;
  },
  readonly Problem[]
>;
