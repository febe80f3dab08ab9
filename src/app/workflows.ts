import type { Workflow } from '../kernel/ctx.ts';
import type { FamilyName } from '../model/family.ts';
import { composeWorkflow } from '../workflows/compose/compose.ts';
import { flowWorkflow } from '../workflows/flow/flow.ts';
import { executeWorkflow } from '../workflows/plan/execute.ts';
import { planWorkflow } from '../workflows/plan/plan.ts';
import { sessionWorkflow } from '../workflows/session/session.ts';

/** The function of each family. */
const functions: Readonly<Record<FamilyName, Workflow>> = {
  flow: flowWorkflow,
  plan: planWorkflow,
  execute: executeWorkflow,
  session: sessionWorkflow,
  compose: composeWorkflow,
};

/** By the name that runs are recorded with. */
export const workflows: ReadonlyMap<string, Workflow> = new Map(Object.entries(functions));
