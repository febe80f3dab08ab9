/** What programs may use of Tutti; everything else is internal and may change. */
export type { Ctx, Workflow } from '../kernel/ctx.ts';
export { exitCodes, type Outcome } from '../model/outcome.ts';
export { openForCaller as openTutti, type CallerParams as OpenParams, type Tutti } from './tutti.ts';
export { checkFlow, startFlow, type FlowRequest } from './runs/start-flow.ts';
export type { Started } from './runs/start-run.ts';
export { advanceRun } from './runs/advance-run.ts';
export { haltRun, resumeRun } from './runs/control.ts';
export { stopRun } from './runs/stop-run.ts';
export { answerQuestion } from './runs/answer-question.ts';
export { runStatus, statusJson, type RunStatus } from './status/run-status.ts';
export type { Refusal } from './refusal.ts';
