import { ok, type Result } from '../../../lib/result.ts';
import type { PreparedFiles } from '../../../model/plan/execute-parts.ts';
import type { Target, Workspace } from '../../../model/plan/workspace.ts';
import { forgetSetUp, setUpWorkspace } from '../../../workspace/hooks.ts';
import { nameOf } from '../../../workspace/refs.ts';
import { changedFiles } from '../../../workspace/seal.ts';
import { hookOf } from './hook-of.ts';
import type { PlanHostTask } from './plan-host-task.ts';
import type { SeveralCommands } from './several-commands.ts';
import { contentsOf } from './task-written.ts';
import { leftOut, setupFor } from './workspace-setup.ts';

/** Runs what the configuration has run in a new workspace. What that leaves there is not the task's work. */
export async function prepareNew(
  task: PlanHostTask,
  commands: SeveralCommands,
  target: Target,
  workspace: Workspace,
): Promise<Result<PreparedFiles, string>> {
  const setup = setupFor(task.parts, workspace.dir, leftOut(task.parts, target.plan));
  if (setup.length === 0) return ok({});
  const ready = await setUpWorkspace(target, workspace, setup, hookOf(task, commands));
  if (!ready.ok) return ready;
  const made = await changedFiles(target, workspace);
  return made.ok ? ok(marked(workspace, made.value.created)) : made;
}

/** The same in one that was put onto newer work: what is needed may be other now, and sealing has removed what git does not ignore. */
export async function prepareAgain(
  task: PlanHostTask,
  commands: SeveralCommands,
  target: Target,
  workspace: Workspace,
  before: PreparedFiles,
): Promise<PreparedFiles> {
  const setup = setupFor(task.parts, workspace.dir, leftOut(task.parts, target.plan));
  if (setup.length === 0) return {};
  const had = await changedFiles(target, workspace);
  if (Object.keys(before).length > 0) forgetSetUp(target, nameOf(workspace));
  // With marks of a conflict in its files it may well fail; whoever resolves them comes next.
  await setUpWorkspace(target, workspace, setup, hookOf(task, commands));
  const made = await changedFiles(target, workspace);
  if (!had.ok || !made.ok) return before;
  const known = new Set(had.value.created);
  return marked(
    workspace,
    made.value.created.filter((path) => !known.has(path) || Object.hasOwn(before, path)),
  );
}

function marked({ dir }: Workspace, paths: readonly string[]): PreparedFiles {
  return Object.fromEntries(paths.map((path) => [path, contentsOf(dir, [path])]));
}
