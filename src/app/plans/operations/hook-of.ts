import type { RunHook } from '../../../workspace/hooks.ts';
import type { OperationContext } from '../../host/operation-call.ts';
import { complaintOf, type SeveralCommands } from './several-commands.ts';

/** Runs the configuration's own commands for workspaces. */
export function hookOf({ parts }: OperationContext, commands: SeveralCommands): RunHook {
  const { timeoutMs } = parts.config.workspace;
  return async ([program, ...args], cwd, env) => {
    if (program === undefined) return null;
    return complaintOf(await commands.run({ argv: [program, ...args], cwd, env, timeoutMs }));
  };
}
