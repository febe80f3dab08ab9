import type { OperationArgs } from '../../../model/operations.ts';
import { argvOf } from '../../../model/plan/plan-task.ts';
import { runsCommand } from '../../../model/plan/validate-criteria.ts';
import type { LandEnd, Workspace } from '../../../model/plan/workspace.ts';
import { setUpLanding } from '../../../workspace/hooks.ts';
import { land, type VerifyLanding } from '../../../workspace/landing.ts';
import { completionOf, withoutEnd } from '../../host/completions.ts';
import type { OperationCall, OperationContext, OperationEnd } from '../../host/operation-call.ts';
import { hookOf } from './hook-of.ts';
import { complaintOf, SeveralCommands } from './several-commands.ts';
import { failedSetup, leftOut, setupFor } from './workspace-setup.ts';

type LandArgs = OperationArgs<'task-land'>;

/** Puts sealed work onto the integration branch, if it holds there together with what landed before. */
export async function taskLand(call: OperationCall<'task-land'>): Promise<OperationEnd<LandEnd>> {
  const { plan, task, target, workspace, sealed, timeoutMs, without } = call.args;
  const commands = await SeveralCommands.of(call);
  const { env } = workspace;
  const verify = verifier(call, { plan, task, target, timeoutMs, env, without }, commands);
  const end = await land(target, workspace, sealed, { verify });
  // A verdict that was cut short is none; the branch did not move for it.
  if (commands.noEnd !== null && !(end.ok && end.value.at === 'landed')) return withoutEnd(commands.noEnd);
  return completionOf(end);
}

interface Judging extends Pick<LandArgs, 'plan' | 'task' | 'target' | 'timeoutMs'> {
  readonly without?: LandArgs['without'] | undefined;
  readonly env: Workspace['env'];
}

/** Criteria of the task, and of those that landed before and changed the same files. */
export function verifier(
  context: OperationContext,
  { plan, task: id, target, env, timeoutMs, without = [] }: Judging,
  commands: SeveralCommands,
): VerifyLanding {
  const { queries } = context.parts;
  return async (cwd, _commit, { touching }) => {
    const ready = await setUpLanding(
      target,
      setupFor(context.parts, {
        dir: cwd,
        target: target.dir,
        without: leftOut(context.parts, plan, without),
      }),
      hookOf(context, commands),
    );
    if (!ready.ok) {
      const criterion = 'the workspace is prepared';
      return { ok: false, task: id, criterion, isSetup: true, ...failedSetup(commands, ready.error) };
    }
    for (const one of [id, ...touching]) {
      const criteria = queries.plans.task(plan, one)?.task.acceptance_criteria ?? [];
      for (const criterion of criteria) {
        const { criterion: name, verification: command } = criterion;
        if (without.some((left) => runsCommand(command, left))) continue;
        const end = await commands.run({ argv: argvOf(criterion), cwd, env, timeoutMs });
        const output = complaintOf(end);
        const exitCode = typeof end === 'string' ? null : end.exitCode;
        if (output !== null) return { ok: false, task: one, criterion: name, output, command, exitCode };
      }
    }
    return { ok: true };
  };
}
