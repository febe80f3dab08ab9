import { changePlan } from '../../plan-record/change-plan.ts';
import { ok } from '../../../lib/result.ts';
import type { BaseFacts, BaseRun } from '../../../model/plan/base-check.ts';
import { proposeUnlocked } from '../../../model/project/unlocked-setup.ts';
import { findBase } from '../../../workspace/integration.ts';
import { lookAtProject } from '../../discovery/look-at-project.ts';
import { done, failed, withoutEnd } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { planPathsOf } from '../../plan-files/plan-paths.ts';
import { tellWaived } from '../../plan-files/plan-context.ts';
import { targetOf } from '../agent-led/task-target.ts';
import { runOnCommit } from './run-on-commit.ts';
import { SeveralCommands } from './several-commands.ts';
import { setupFor } from './workspace-setup.ts';

/** What the plan's tasks will begin with, and how it is prepared. */
export async function planBase({
  parts,
  args,
}: OperationCall<'plan-base'>): Promise<OperationEnd<BaseFacts>> {
  const record = await parts.queries.plans.one(args.plan);
  if (record === null) return failed('there is no such plan');
  const target = await targetOf(parts, record);
  if (!target.ok) return failed(target.error.message);
  const base = await findBase(target.value);
  if (!base.ok) return failed(base.error);
  const setup = setupFor(parts, { dir: record.targetDir, target: record.targetDir, without: [] }).map(
    (argv) => argv.join(' '),
  );
  const isConfigured = parts.config.workspace.setup !== null;
  const unlocked = isConfigured ? null : proposeUnlocked(lookAtProject(record.targetDir));
  return done({ ...base.value, setup, ...(unlocked === null ? {} : { unlocked }) });
}

/** Setup and the project's own commands, once, on the base. */
export async function planBaseRun(call: OperationCall<'plan-base-run'>): Promise<OperationEnd<BaseRun>> {
  const { plan, ...run } = call.args;
  const record = await call.parts.queries.plans.one(plan);
  if (record === null) return failed('there is no such plan');
  const target = await targetOf(call.parts, record);
  if (!target.ok) return failed(target.error.message);
  const commands = await SeveralCommands.of(call);
  const ends = await runOnCommit(call, commands, { target: target.value, ...run });
  if (commands.noEnd !== null) return withoutEnd(commands.noEnd);
  if (!ends.ok) return failed(ends.error);
  return done({ ends: ends.value });
}

/** What the tasks of the plan are not judged by, as a person said. */
export async function planBaseRecord({
  parts,
  args,
}: OperationCall<'plan-base-record'>): Promise<OperationEnd<null>> {
  const { plan, commit, without } = args;
  const changed = await changePlan(parts, plan, (record) => ok({ ...record, base: { commit, without } }));
  if (!changed.ok) return failed(changed.error);
  tellWaived(planPathsOf(parts.paths, plan), without);
  return done(null);
}
