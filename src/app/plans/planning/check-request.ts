import type { Result } from '../../../lib/result.ts';
import type { OperationArgs } from '../../../model/operations.ts';
import type { CheckedArtifact } from '../../../model/plan/plan-check.ts';
import type { PlanFacts } from '../../../model/plan/plan-facts.ts';
import type { PlanChange, PlanRecord } from '../../../model/plan/plan-record.ts';
import type { Problem } from '../../../model/schemas/problem.ts';
import type { HostParts } from '../../host/host-parts.ts';
import type { PlanPaths } from '../../plan-files/plan-paths.ts';

/** What is to be looked at. */
export type CheckRequest = OperationArgs<'plan-check'>;

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
