import { type Json, recorded } from '../../lib/json.ts';
import type { Failure } from '../../model/failure.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { PlanStep } from '../../model/outline.ts';
import { type Changes, changesInWords, hasChanges } from '../../model/plan/artifact-changes.ts';
import type { PlanVerdict } from '../../model/plan/plan-record.ts';
import type { AddedOrder } from '../../model/plan/serialise.ts';

/** What a run of the workflow `plan` ends with. */
export type PlanValue =
  | { readonly at: 'planned'; readonly summary: PlanSummary }
  | { readonly at: 'refused'; readonly summary: PlanSummary; readonly by: string; readonly reason: string }
  | { readonly at: 'failed'; readonly step: PlanStep; readonly failure: Failure };

export interface PlanSummary {
  readonly tasks: number;
  readonly phases: number;
  /** Digest of the tasks that were approved or refused. */
  readonly digest: string;
  readonly verdict: Pick<PlanVerdict, 'verdict' | 'summary' | 'issues'>;
  /** What planning again changed; null: there was no plan before. */
  readonly changes: PlanChanges | null;
  readonly serialised: readonly AddedOrder[];
  /** Both in words, for people; empty: there is nothing to say. */
  readonly said: string;
}

interface PlanChanges {
  readonly behaviors: Changes;
  readonly tasks: Changes;
}

const mostOrders = 5;

/** What planning again changed, and which tasks got an order because they own one file. */
export function saidOf({ changes, serialised }: Pick<PlanSummary, 'changes' | 'serialised'>): string {
  const parts = changes === null ? [] : changeWords(changes);
  const orders = serialised
    .slice(0, mostOrders)
    .map(({ before, after, file }) => `${after} waits for ${before}: both own ${file}`);
  const more = serialised.length - orders.length;
  return [
    ...parts,
    ...orders,
    ...(more > 0 ? [`${more} more tasks wait for owners of their files`] : []),
  ].join('; ');
}

function changeWords({ behaviors, tasks }: PlanChanges): readonly string[] {
  if (!hasChanges(behaviors) && !hasChanges(tasks)) return ['no behavior and no task changed'];
  const part = (name: string, changes: Changes) =>
    hasChanges(changes) ? [`${name}: ${changesInWords(changes)}`] : [`no ${name} changed`];
  return [...part('behaviors', behaviors), ...part('tasks', tasks)];
}

export function endOfPlan(value: Json): { readonly outcome: Outcome; readonly message: string | null } {
  const end = recorded<PlanValue>(value);
  switch (end.at) {
    case 'planned':
      return { outcome: 'SUCCESS', message: null };
    case 'refused': {
      const why = end.reason === '' ? '' : `: ${end.reason}`;
      return { outcome: 'FAILURE', message: `the plan was refused by ${end.by}${why}` };
    }
    case 'failed':
      return { outcome: end.failure.outcome, message: `${end.step}: ${end.failure.message}` };
  }
}
