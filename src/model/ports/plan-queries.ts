import type { GraphNode } from '../graph.ts';
import type { PlanRecord } from '../plan/plan-record.ts';
import type { TaskRow } from '../plan/task-row.ts';
import type { TaskState } from '../plan/task-state.ts';

/** As much of a task as tells what may run: without its definition, of which there may be megabytes. */
export interface TaskNode extends GraphNode {
  readonly name: string;
  readonly at: TaskState['at'];
}

export type TaskNodeState = TaskNode & Pick<TaskRow, 'state'>;

/** How many tasks of a plan are in each state; a state without tasks is left out. */
export type TaskCounts = Readonly<Partial<Record<TaskState['at'], number>>>;

/** What people and programs read of plans. Tasks come in the order of their ids. */
export interface PlanQueries {
  one(name: string): Promise<PlanRecord | null>;
  /** The one that changed last comes first. */
  all(): Promise<readonly PlanRecord[]>;
  tasks(plan: string): Promise<readonly TaskRow[]>;
  task(plan: string, id: string): Promise<TaskRow | null>;
  /** A task that owns a file which another one owns too waits for it, whether its definition says so or not. */
  nodes(plan: string): Promise<readonly TaskNode[]>;
  /** The nodes with what became of each. */
  states(plan: string): Promise<readonly TaskNodeState[]>;
  node(plan: string, id: string): Promise<TaskNode | null>;
  counts(plan: string): Promise<TaskCounts>;
}
