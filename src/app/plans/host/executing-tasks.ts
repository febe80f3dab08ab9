import { commandOnCommit } from './command-on-commit.ts';
import { planComplete } from './plan-complete.ts';
import type { PlanHostTasks } from './plan-host-task.ts';
import { taskAccept } from './task-accept.ts';
import { taskBegin } from './task-begin.ts';
import { taskBundle } from './task-bundle.ts';
import { taskClose } from './task-close.ts';
import { taskDiff } from './task-diff.ts';
import { taskLand, taskSeal } from './task-land.ts';
import { takeOverWork } from './take-over.ts';
import { taskRestore } from './task-restore.ts';
import { taskWritten } from './task-written.ts';
import { workspaceOpen, workspaceUpdate } from './workspace-open.ts';

/** What the workflow `execute` has done on the host, by the name that is recorded with it. */
export const executingTasks: PlanHostTasks = {
  'take-over': takeOverWork,
  'task-begin': taskBegin,
  'workspace-open': workspaceOpen,
  bundle: taskBundle,
  'task-written': taskWritten,
  'task-diff': taskDiff,
  'task-restore': taskRestore,
  accept: taskAccept,
  seal: taskSeal,
  land: taskLand,
  'command-on-commit': commandOnCommit,
  'bring-up-to-date': workspaceUpdate,
  'task-result': taskClose,
  'plan-complete': planComplete,
};
