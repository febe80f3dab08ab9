import { executingTasks } from './executing-tasks.ts';
import type { PlanHostTasks } from './plan-host-task.ts';
import { planningTasks } from './planning-tasks.ts';

/** Every host task of a plan, by the name that is recorded with it. */
export const planTasks: PlanHostTasks = { ...planningTasks, ...executingTasks };
