import type { BroughtUp } from '../../../model/plan/execute-parts.ts';
import { bringUpToDate } from '../../../workspace/bring-up-to-date.ts';
import { done, failed, withoutEnd } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { prepareAgain } from './prepared-files.ts';
import { SeveralCommands } from './several-commands.ts';
import { leftOut } from './workspace-setup.ts';

/** Brings the task's work onto what has landed meanwhile; marks of conflicts are left for its agent. */
export async function taskBring(call: OperationCall<'task-bring'>): Promise<OperationEnd<BroughtUp>> {
  const { target, workspace, prepared, without } = call.args;
  const commands = await SeveralCommands.of(call);
  const up = await bringUpToDate(target, workspace);
  if (!up.ok) return failed(up.error);
  const onTip = {
    target,
    workspace: up.value.workspace,
    without: await leftOut(call.parts, target.owner.name, without),
  };
  const again = await prepareAgain(call, commands, onTip, prepared);
  if (commands.noEnd !== null) return withoutEnd(commands.noEnd);
  return done({ ...again, conflicts: up.value.conflicts });
}
