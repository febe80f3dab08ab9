import type { OnCommit } from '../../../model/plan/base-check.ts';
import { done, failed, withoutEnd } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { runOnCommit } from './run-on-commit.ts';
import { SeveralCommands } from './several-commands.ts';
import { leftOut } from './workspace-setup.ts';

/** One command on the commit that a task began with, or that its work should land on. */
export async function planOnBase(call: OperationCall<'plan-on-base'>): Promise<OperationEnd<OnCommit>> {
  const { command, isSetup = false, without, ...run } = call.args;
  const commands = await SeveralCommands.of(call);
  const ends = await runOnCommit(call, commands, {
    ...run,
    without: await leftOut(call.parts, run.target.owner.name, without),
    commands: isSetup ? [] : [command],
  });
  if (commands.noEnd !== null) return withoutEnd(commands.noEnd);
  if (!ends.ok) return failed(ends.error);
  const [end] = ends.value;
  if (isSetup) return done(end ?? setupPassed(command));
  return end === undefined ? failed(`\`${command}\` was not run`) : done({ ...end, command });
}

function setupPassed(command: string): OnCommit {
  return { command, passed: true, exitCode: 0, output: '', durationMs: 0 };
}
