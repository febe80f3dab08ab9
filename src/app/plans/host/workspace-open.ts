import { recorded } from '../../../lib/json.ts';
import type { Completion } from '../../../model/entry.ts';
import type { BroughtUp, OpenedWorkspace, PreparedFiles } from '../../../model/plan/execute-parts.ts';
import type { Target, Workspace } from '../../../model/plan/workspace.ts';
import { bringUpToDate } from '../../../workspace/up-to-date.ts';
import { openWorkspace } from '../../../workspace/worktree.ts';
import { done, failed, withoutEnd } from './completions.ts';
import type { PlanHostTask } from './plan-host-task.ts';
import { prepareAgain, prepareNew } from './prepared-files.ts';
import { SeveralCommands } from './several-commands.ts';

interface OpenArgs {
  readonly target: Target;
  readonly task: string;
  readonly attempt: number;
}

/** A checkout of the task's own, prepared as the configuration says. */
export async function workspaceOpen(task: PlanHostTask): Promise<Completion> {
  const { target, task: id, attempt } = recorded<OpenArgs>(task.args);
  const commands = await SeveralCommands.of(task);
  const opened = await openWorkspace(target, { task: id, attempt, run: task.attempt.runId });
  if (!opened.ok) return failed(opened.error);
  const prepared = await prepareNew(task, commands, target, opened.value);
  if (commands.noEnd !== null) return withoutEnd(commands.noEnd);
  if (!prepared.ok) return failed(prepared.error);
  const value: OpenedWorkspace = { workspace: opened.value, prepared: prepared.value };
  return done(value);
}

interface UpdateArgs {
  readonly target: Target;
  readonly workspace: Workspace;
  readonly prepared: PreparedFiles;
}

/** Puts the task's work onto what has landed meanwhile; marks of conflicts are left for its agent. */
export async function workspaceUpdate(task: PlanHostTask): Promise<Completion> {
  const { target, workspace, prepared } = recorded<UpdateArgs>(task.args);
  const commands = await SeveralCommands.of(task);
  const up = await bringUpToDate(target, workspace);
  if (!up.ok) return failed(up.error);
  const again = await prepareAgain(task, commands, target, up.value.workspace, prepared);
  if (commands.noEnd !== null) return withoutEnd(commands.noEnd);
  const value: BroughtUp = {
    workspace: up.value.workspace,
    conflicts: up.value.conflicts,
    prepared: again,
  };
  return done(value);
}
