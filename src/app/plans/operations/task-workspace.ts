import type { PreparedWorkspace } from '../../../model/plan/execute-parts.ts';
import { includeFile } from '../../../model/trust-surfaces.ts';
import { openWorkspace } from '../../../workspace/worktree.ts';
import { completionOf, failed, withoutEnd } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { projectTrust } from '../../trust/project-trust.ts';
import { prepareNew } from './prepared-files.ts';
import { SeveralCommands } from './several-commands.ts';
import { leftOut } from './workspace-setup.ts';

/** The task's own checkout, prepared as the configuration says. A setup that fails is part of the result. */
export async function taskWorkspace(
  call: OperationCall<'task-workspace'>,
): Promise<OperationEnd<PreparedWorkspace>> {
  const { target, task, attempt, without } = call.args;
  const commands = await SeveralCommands.of(call);
  const includes = projectTrust(target.root, call.parts.env).counts(includeFile);
  const opened = await openWorkspace(target, { task, attempt, run: call.attempt.runId, includes });
  if (!opened.ok) return failed(opened.error);
  const prepared = await prepareNew(call, commands, {
    target,
    workspace: opened.value,
    without: await leftOut(call.parts, target.owner.name, without),
  });
  return commands.noEnd === null ? completionOf(prepared) : withoutEnd(commands.noEnd);
}
