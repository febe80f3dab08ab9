import type { PlanHostTasks } from './plan-host-task.ts';

/** What the workflow `execute` has done on the host, by the name that is recorded with it. */
export const executingTasks: PlanHostTasks = {};
