import { executingOperations } from './executing-operations.ts';
import { planningOperations } from './planning-operations.ts';

/** Every operation of a plan. */
export const planOperations = { ...planningOperations, ...executingOperations };
