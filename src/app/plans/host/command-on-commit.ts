import { recorded } from '../../../lib/json.ts';
import { ok, type Result } from '../../../lib/result.ts';
import type { CommandEnd } from '../../../model/command.ts';
import type { Completion } from '../../../model/entry.ts';
import type { OnCommit } from '../../../model/plan/base-check.ts';
import { argvOf } from '../../../model/plan/plan-task.ts';
import type { Target } from '../../../model/plan/workspace.ts';
import { setUpLanding } from '../../../workspace/hooks.ts';
import { inLandingFolder } from '../../../workspace/landing-folder.ts';
import { done, failed, withoutEnd } from './completions.ts';
import { hookOf } from './hook-of.ts';
import type { PlanHostTask } from './plan-host-task.ts';
import { complaintOf, SeveralCommands } from './several-commands.ts';
import { failedSetup, leftOut, setupFor } from './workspace-setup.ts';

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
  task: PlanHostTask,
  commands: SeveralCommands,
  { target, commit, commands: wanted, timeoutMs, without }: CommitRun,
): Promise<Result<readonly OnCommit[], string>> {
  return inLandingFolder(target, commit, async (cwd) => {
    const setup = setupFor(task.parts, { dir: cwd, target: target.dir, without });
    const began = Date.now();
    const ready = await setUpLanding(target, setup, hookOf(task, commands));
    const ends: OnCommit[] = [];
    if (!ready.ok) {
      const durationMs = Date.now() - began;
      return ok([{ ...failedSetup(commands, ready.error), passed: false, durationMs }]);
    }
    for (const command of wanted) {
      const end = await commands.run({ argv: argvOf({ verification: command }), cwd, env: {}, timeoutMs });
      if (typeof end === 'string') break;
      ends.push(onCommit(command, end));
    }
    return ok(ends);
  });
}

function onCommit(command: string, end: CommandEnd): OnCommit {
  const { exitCode, timedOut, outputTail: output, durationMs } = end;
  return {
    command,
    passed: complaintOf(end) === null,
    exitCode: timedOut ? null : exitCode,
    output,
    durationMs,
  };
}

interface OnCommitArgs extends Omit<CommitRun, 'commands' | 'without'> {
  readonly command: string;
  /** The command belongs to the setup, which runs before any other command anyway. */
  readonly isSetup?: boolean;
  /** Absent: a run of an earlier release. */
  readonly without?: readonly string[];
}

/** One command on the commit that a task began with, or that its work should land on. */
export async function commandOnCommit(task: PlanHostTask): Promise<Completion> {
  const { command, isSetup = false, without, ...run } = recorded<OnCommitArgs>(task.args);
  const commands = await SeveralCommands.of(task);
  const ends = await runOnCommit(task, commands, {
    ...run,
    without: leftOut(task.parts, run.target.plan, without),
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
