import type { DecisionEvent } from '../event.ts';
import type { PlanRecord } from '../plan/plan-record.ts';
import type { TaskRow } from '../plan/task-row.ts';
import type { TaskState } from '../plan/task-state.ts';

/**
 * A plan at one version: every write to the plan or to one of its tasks makes the next, and so does every question of the run
 * that plans it and every answer to one. A decision on the plan and an answer about it therefore never both count.
 */
export interface VersionedPlan {
  readonly version: number;
  readonly plan: PlanRecord;
}

/** What a write changes; what is absent stays as it is. */
export interface PlanWrite {
  readonly plan?: PlanRecord;
  /** One task's new state. */
  readonly task?: { readonly id: string; readonly state: TaskState };
  /** All tasks of the plan from now on. */
  readonly tasks?: readonly TaskRow[];
  /** Noted in the audit with the change. */
  readonly made?: DecisionEvent;
}

export type PlanWritten =
  | { readonly at: 'written'; readonly plan: PlanRecord }
  /** The plan has another version by now, and nothing was written: read it and decide again. */
  | { readonly at: 'changed' };

/**
 * Plans and their tasks: the caller reads a version, decides, and writes with that version. Everything that it reads about
 * the plan and its tasks in between is of that version too, or the write finds another one.
 */
export interface PlanStore {
  createPlan(plan: PlanRecord): Promise<'created' | 'exists'>;
  /** Null: there is no such plan. */
  readPlan(name: string): Promise<VersionedPlan | null>;
  writePlan(name: string, version: number, write: PlanWrite): Promise<PlanWritten>;
}
