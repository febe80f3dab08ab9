import { ok, type Result } from '../../../lib/result.ts';
import { type CommandEnd, judgeCommand } from '../../../model/command.ts';
import { endOnCommit, type OnCommit } from '../../../model/plan/base-check.ts';
import { argvOf } from '../../../model/plan/plan-task.ts';
import type { Target } from '../../../model/workspace.ts';
import { setUpLanding } from '../../../workspace/hooks.ts';
import { inLandingFolder } from '../../../workspace/landing-folder.ts';
import type { OperationContext } from '../../host/operation-call.ts';
import { hookOf } from './hook-of.ts';
import type { SeveralCommands } from './several-commands.ts';
import { failedSetup, setupFor } from './workspace-setup.ts';

export interface CommitRun {
  readonly target: Target;
  readonly commit: string;
  readonly commands: readonly string[];
  readonly timeoutMs: number;
  /** Commands of the setup that a person chose to continue without. */
  readonly without: readonly string[];
}

/**
 * Runs the project's own commands on a commit as it is, in the folder where merged work is judged, prepared as workspaces
 * are. The one place where commands that discovery found are run outside a task. Setup that fails comes first and alone.
 */
export function runOnCommit(
  context: OperationContext,
  commands: SeveralCommands,
  { target, commit, commands: wanted, timeoutMs, without }: CommitRun,
): Promise<Result<readonly OnCommit[], string>> {
  return inLandingFolder(target, commit, async (cwd) => {
    const setup = setupFor(context.parts, { dir: cwd, target: target.dir, without });
    const began = Date.now();
    const ready = await setUpLanding(target, setup, hookOf(context, commands));
    const ends: OnCommit[] = [];
    if (!ready.ok) {
      const durationMs = Date.now() - began;
      const { log = null } = commands.last?.end ?? {};
      return ok([{ ...failedSetup(commands, ready.error), passed: false, durationMs, ...logOf(log) }]);
    }
    for (const command of wanted) {
      const end = await commands.run({ argv: argvOf({ verification: command }), cwd, timeoutMs });
      if (typeof end === 'string') break;
      ends.push(onCommit(command, end));
    }
    return ok(ends);
  });
}

function onCommit(command: string, end: CommandEnd): OnCommit {
  const { outputTail: output, durationMs, log } = end;
  const passed = judgeCommand(end).problem === null;
  return { command, passed, ...endOnCommit(end), output, durationMs, ...logOf(log) };
}

function logOf(log: string | null): Pick<OnCommit, 'log'> {
  return log === null ? {} : { log };
}
