import { ok, type Result } from '../../../lib/result.ts';
import type { PreparedFiles, PreparedWorkspace } from '../../../model/plan/execute-parts.ts';
import type { Target, Workspace } from '../../../model/workspace.ts';
import { forgetSetUp, setUpWorkspace } from '../../../workspace/hooks.ts';
import { nameOf } from '../../../workspace/refs.ts';
import { changedFiles } from '../../../workspace/seal.ts';
import type { OperationContext } from '../../host/operation-call.ts';
import { hookOf } from './hook-of.ts';
import type { SeveralCommands } from './several-commands.ts';
import { contentsOf } from '../work/file-contents.ts';
import { failedSetup, setupFor } from './workspace-setup.ts';

interface ToPrepare {
  readonly target: Target;
  readonly workspace: Workspace;
  /** Commands of the setup that a person chose to continue without. */
  readonly without: readonly string[];
}

/** Sets up a new workspace. Files that the setup leaves there are not the task's work. */
export async function prepareNew(
  context: OperationContext,
  commands: SeveralCommands,
  { target, workspace, without }: ToPrepare,
): Promise<Result<PreparedWorkspace, string>> {
  const setup = setupFor(context.parts, { dir: workspace.dir, target: target.dir, without });
  if (setup.length === 0) return ok({ workspace, prepared: {} });
  const ready = await setUpWorkspace(target, workspace, setup, hookOf(context, commands));
  const made = await changedFiles(target, workspace);
  if (!made.ok) return made;
  const prepared = marked(workspace, made.value.created);
  return ok({
    workspace,
    prepared,
    ...(ready.ok ? {} : { failedSetup: failedSetup(commands, ready.error) }),
  });
}

/** Sets up a workspace again after it was put onto newer work: sealing has removed what git does not ignore. */
export async function prepareAgain(
  context: OperationContext,
  commands: SeveralCommands,
  { target, workspace, without }: ToPrepare,
  before: PreparedFiles,
): Promise<PreparedWorkspace> {
  const setup = setupFor(context.parts, { dir: workspace.dir, target: target.dir, without });
  if (setup.length === 0) return { workspace, prepared: {} };
  const had = await changedFiles(target, workspace);
  if (Object.keys(before).length > 0) forgetSetUp(target, nameOf(workspace));
  const ready = await setUpWorkspace(target, workspace, setup, hookOf(context, commands));
  const failed = ready.ok ? {} : { failedSetup: failedSetup(commands, ready.error) };
  const made = await changedFiles(target, workspace);
  if (!had.ok || !made.ok) return { workspace, prepared: before, ...failed };
  const known = new Set(had.value.created);
  const own = made.value.created.filter((path) => !known.has(path) || Object.hasOwn(before, path));
  return { workspace, prepared: marked(workspace, own), ...failed };
}

function marked({ dir }: Workspace, paths: readonly string[]): PreparedFiles {
  return Object.fromEntries(paths.map((path) => [path, contentsOf(dir, [path])]));
}
