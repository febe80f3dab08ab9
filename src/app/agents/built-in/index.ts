import { coder, reviewer } from './general.ts';
import { logicArchitect, physicalArchitect } from './planners.ts';
import { planAuditor, taskAuthor, taskPlanVerifier } from './task-planners.ts';
import { taskExecutor, taskVerifier } from './task-workers.ts';

/**
 * The agents that every project has. A project's own agent of the same name comes first.
 * They say who the agent is and how it works; the prompt of a step says what to do.
 */
export const builtInAgents: ReadonlyMap<string, string> = new Map([
  ['coder', coder],
  ['reviewer', reviewer],
  ['logic-architect', logicArchitect],
  ['physical-architect', physicalArchitect],
  ['task-author', taskAuthor],
  ['task-plan-verifier', taskPlanVerifier],
  ['plan-auditor', planAuditor],
  ['task-executor', taskExecutor],
  ['task-verifier', taskVerifier],
]);
