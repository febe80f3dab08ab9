import type { PlanningOperations } from '../../../model/plan/planning-operations.ts';
import type { Implementations } from '../../host/operation-call.ts';
import { planApprovalRecord, planApprovalStanding } from '../planning/plan-approval.ts';
import { planCheck } from '../planning/plan-check.ts';
import { planEditsKeep, planEditsSettle, planTasksBegin } from '../planning/plan-edits.ts';
import { planIngest } from '../planning/plan-ingest.ts';
import { planPhasesContested } from '../planning/settle-phases.ts';
import { planVerdictBegin, planVerdictCheck, planVerdictRecord } from '../planning/plan-verdict.ts';
import { planBase, planBaseRecord, planBaseRun } from './plan-base.ts';

/** What the workflow `plan` needs of the machine. */
export const planningOperations: Implementations<keyof PlanningOperations> = {
  'plan-ingest': planIngest,
  'plan-base': planBase,
  'plan-base-run': planBaseRun,
  'plan-base-record': planBaseRecord,
  'plan-check': planCheck,
  'plan-edits-settle': planEditsSettle,
  'plan-phases-contested': planPhasesContested,
  'plan-edits-keep': planEditsKeep,
  'plan-tasks-begin': planTasksBegin,
  'plan-verdict-begin': planVerdictBegin,
  'plan-verdict-check': planVerdictCheck,
  'plan-verdict-record': planVerdictRecord,
  'plan-approval-standing': planApprovalStanding,
  'plan-approval-record': planApprovalRecord,
};
