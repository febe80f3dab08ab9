import { judgeGate } from '../../../gates/judge-gate.ts';
import type { NoEnd } from '../../../model/command.ts';
import {
  acceptanceOf,
  leftOutCommand,
  leftOutReason,
  waivedAcceptance,
} from '../../../model/plan/acceptance.ts';
import type { Acceptance } from '../../../model/plan/execute-parts.ts';
import { type AcceptanceCriterion, argvOf } from '../../../model/plan/plan-task.ts';
import type { Workspace } from '../../../model/workspace.ts';
import { runGit } from '../../../workspace/git.ts';
import type { Command, RunCommand } from '../../host/command.ts';
import type { HostParts } from '../../host/host-parts.ts';

/** Where the work of a task is judged, and who runs the commands that judge it. */
export interface AcceptanceSite {
  readonly dir: string;
  readonly env: Workspace['env'];
  /** For each command. */
  readonly timeoutMs: number;
  readonly run: RunCommand<Command & { readonly timeoutMs: number }>;
  /** Commands that a person chose to continue without. */
  readonly without: readonly string[];
}

/**
 * Judges one acceptance criterion of a task, as a gate of a flow is judged. The one place for it: in the task's workspace, where
 * merged work is judged, and in the folder where an agent works that Tutti did not start.
 */
export async function acceptCriterion(
  { paths }: Pick<HostParts, 'paths'>,
  criterion: AcceptanceCriterion,
  { dir, env, timeoutMs, run, without }: AcceptanceSite,
): Promise<Acceptance | NoEnd> {
  const left = leftOutCommand(without, criterion);
  if (left !== null) return waivedAcceptance(criterion, leftOutReason(left));
  const found = await judgeGate(
    { kind: 'command', argv: argvOf(criterion), timeoutMs },
    {
      workspace: dir,
      projectDir: paths.root,
      toolCalls: 0,
      run: (command) => run({ ...command, env }),
      git: (words) => runGit(dir, words),
    },
    criterion.verification,
  );
  return typeof found === 'string' ? found : acceptanceOf(criterion, found);
}
