import type { PlanHostTasks } from './plan-host-task.ts';

/** What the workflow `plan` has done on the host, by the name that is recorded with it. */
export const planningTasks: PlanHostTasks = {};
