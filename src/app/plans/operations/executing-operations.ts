import type { ExecutingOperations } from '../../../model/plan/executing-operations.ts';
import type { Implementations } from '../../host/operation-call.ts';
import { planComplete } from './plan-complete.ts';
import { planOnBase } from './plan-on-base.ts';
import { planTakeOver } from './plan-take-over.ts';
import { planWaived } from './plan-waived.ts';
import { taskAccept } from './task-accept.ts';
import { taskBegin } from './task-begin.ts';
import { taskBring } from './task-bring.ts';
import { taskBundle } from './task-bundle.ts';
import { taskDiff } from './task-diff.ts';
import { taskLand } from './task-land.ts';
import { taskRestore } from './task-restore.ts';
import { taskResult } from './task-result.ts';
import { taskSeal } from './task-seal.ts';
import { taskWorkspace } from './task-workspace.ts';
import { taskWritten } from './task-written.ts';

/** What the workflow `execute` needs of the machine. */
export const executingOperations: Implementations<keyof ExecutingOperations> = {
  'plan-take-over': planTakeOver,
  'plan-on-base': planOnBase,
  'plan-waived': planWaived,
  'plan-complete': planComplete,
  'task-begin': taskBegin,
  'task-workspace': taskWorkspace,
  'task-bundle': taskBundle,
  'task-written': taskWritten,
  'task-diff': taskDiff,
  'task-restore': taskRestore,
  'task-accept': taskAccept,
  'task-seal': taskSeal,
  'task-land': taskLand,
  'task-bring': taskBring,
  'task-result': taskResult,
};
