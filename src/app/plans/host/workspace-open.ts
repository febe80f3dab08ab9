import { recorded } from '../../../lib/json.ts';
import type { Completion } from '../../../model/entry.ts';
import type { BroughtUp, PreparedFiles } from '../../../model/plan/execute-parts.ts';
import type { Target, Workspace } from '../../../model/plan/workspace.ts';
import { includeFile } from '../../../workspace/include.ts';
import { bringUpToDate } from '../../../workspace/up-to-date.ts';
import { openWorkspace } from '../../../workspace/worktree.ts';
import { projectTrust } from '../../trust/project-trust.ts';
import { completionOf, done, failed, withoutEnd } from './completions.ts';
import type { PlanHostTask } from './plan-host-task.ts';
import { prepareAgain, prepareNew } from './prepared-files.ts';
import { SeveralCommands } from './several-commands.ts';
import { leftOut } from './workspace-setup.ts';

interface OpenArgs {
  readonly target: Target;
  readonly task: string;
  readonly attempt: number;
  /** Commands that a person chose to continue without; absent: a run of an earlier release. */
  readonly without?: readonly string[];
}

/** The task's own checkout, prepared as the configuration says. A setup that fails is part of the result. */
export async function workspaceOpen(task: PlanHostTask): Promise<Completion> {
  const { target, task: id, attempt, without } = recorded<OpenArgs>(task.args);
  const commands = await SeveralCommands.of(task);
  const includes = projectTrust(target.root, task.parts.env).counts(includeFile);
  const opened = await openWorkspace(target, { task: id, attempt, run: task.attempt.runId, includes });
  if (!opened.ok) return failed(opened.error);
  const prepared = await prepareNew(task, commands, {
    target,
    workspace: opened.value,
    without: leftOut(task.parts, target.plan, without),
  });
  return commands.noEnd === null ? completionOf(prepared) : withoutEnd(commands.noEnd);
}

interface UpdateArgs {
  readonly target: Target;
  readonly workspace: Workspace;
  readonly prepared: PreparedFiles;
  readonly without?: OpenArgs['without'];
}

/** Puts the task's work onto what has landed meanwhile; marks of conflicts are left for its agent. */
export async function workspaceUpdate(task: PlanHostTask): Promise<Completion> {
  const { target, workspace, prepared, without } = recorded<UpdateArgs>(task.args);
  const commands = await SeveralCommands.of(task);
  const up = await bringUpToDate(target, workspace);
  if (!up.ok) return failed(up.error);
  const onTip = {
    target,
    workspace: up.value.workspace,
    without: leftOut(task.parts, target.plan, without),
  };
  const again = await prepareAgain(task, commands, onTip, prepared);
  if (commands.noEnd !== null) return withoutEnd(commands.noEnd);
  const value: BroughtUp = { ...again, conflicts: up.value.conflicts };
  return done(value);
}
