import { recorded } from '../../../lib/json.ts';
import type { Completion } from '../../../model/entry.ts';
import type { BroughtUp } from '../../../model/plan/execute-parts.ts';
import type { Target, Workspace } from '../../../model/plan/workspace.ts';
import { type RunHook, setUpWorkspace } from '../../../workspace/hooks.ts';
import { bringUpToDate } from '../../../workspace/up-to-date.ts';
import { openWorkspace } from '../../../workspace/worktree.ts';
import { done, failed, withoutEnd } from './completions.ts';
import type { PlanHostTask } from './plan-host-task.ts';
import { complaintOf, SeveralCommands } from './several-commands.ts';

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
  const { setup } = task.parts.config.workspace;
  const ready = await setUpWorkspace(target, opened.value, setup, hookOf(task, commands));
  if (commands.noEnd !== null) return withoutEnd(commands.noEnd);
  return ready.ok ? done(opened.value) : failed(ready.error);
}

/** Runs the configuration's own commands for workspaces. */
export function hookOf({ parts }: PlanHostTask, commands: SeveralCommands): RunHook {
  const { timeoutMs } = parts.config.workspace;
  return async ([program, ...args], cwd, env) => {
    if (program === undefined) return null;
    return complaintOf(await commands.run({ argv: [program, ...args], cwd, env, timeoutMs }));
  };
}

/** Puts the task's work onto what has landed meanwhile; marks of conflicts are left for its agent. */
export async function workspaceUpdate({ args }: PlanHostTask): Promise<Completion> {
  const { target, workspace } = recorded<{ readonly target: Target; readonly workspace: Workspace }>(args);
  const up = await bringUpToDate(target, workspace);
  if (!up.ok) return failed(up.error);
  const value: BroughtUp = { workspace: up.value.workspace, conflicts: up.value.conflicts };
  return done(value);
}
