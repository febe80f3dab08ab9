import type { NoEnd } from '../../../model/command.ts';
import type { OperationArgs } from '../../../model/operations.ts';
import type { Acceptance } from '../../../model/plan/execute-parts.ts';
import type { AcceptanceCriterion } from '../../../model/plan/plan-task.ts';
import type { LandEnd, Workspace } from '../../../model/workspace.ts';
import { setUpLanding } from '../../../workspace/hooks.ts';
import { land, type VerifyLanding } from '../../../workspace/landing.ts';
import { completionOf, withoutEnd } from '../../host/completions.ts';
import type { OperationCall, OperationContext, OperationEnd } from '../../host/operation-call.ts';
import { hookOf } from './hook-of.ts';
import { acceptCriterion } from '../work/accept-criterion.ts';
import { SeveralCommands } from './several-commands.ts';
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
  { plan, task: id, target, env, timeoutMs, without: since = [] }: Judging,
  commands: SeveralCommands,
): VerifyLanding {
  const { queries } = context.parts;
  return async (cwd, _commit, { touching }) => {
    const without = await leftOut(context.parts, plan, since);
    const setup = setupFor(context.parts, { dir: cwd, target: target.dir, without });
    const ready = await setUpLanding(target, setup, hookOf(context, commands));
    if (!ready.ok) {
      const criterion = 'the workspace is prepared';
      return { ok: false, task: id, criterion, isSetup: true, ...failedSetup(commands, ready.error) };
    }
    for (const one of [id, ...touching]) {
      const criteria = (await queries.plans.task(plan, one))?.task.acceptance_criteria ?? [];
      for (const criterion of criteria) {
        const site = { dir: cwd, env, timeoutMs, run: commands.run, without };
        const end = await acceptCriterion(context.parts, criterion, site);
        if (typeof end !== 'string' && end.problem === null) continue;
        return { ok: false, task: one, ...notHeld(criterion, end) };
      }
    }
    return { ok: true };
  };
}

/** A criterion that does not hold on the merged work. */
function notHeld({ criterion, verification: command }: AcceptanceCriterion, end: Acceptance | NoEnd) {
  if (typeof end === 'string') return { criterion, command, output: 'it was killed', exitCode: null };
  const { exitCode = null } = end;
  return { criterion, command, output: `${end.criterion.evidence}\n${end.output}`, exitCode };
}
