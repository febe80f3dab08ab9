import { recorded, textMember } from '../../../lib/json.ts';
import { ok } from '../../../lib/result.ts';
import type { Completion } from '../../../model/entry.ts';
import type { BaseCheck, BaseFacts, BaseRun } from '../../../model/plan/base-check.ts';
import { findBase } from '../../../workspace/integration.ts';
import { targetOf } from '../state/task-target.ts';
import { runOnCommit } from './command-on-commit.ts';
import { done, failed, withoutEnd } from './completions.ts';
import type { PlanHostTask } from './plan-host-task.ts';
import { SeveralCommands } from './several-commands.ts';
import { setupFor } from './workspace-setup.ts';

/** What the plan's tasks will begin with, and how it is prepared. */
export async function planBase({ parts, args }: PlanHostTask): Promise<Completion> {
  const record = parts.queries.plans.one(textMember(args, 'plan'));
  if (record === null) return failed('there is no such plan');
  const target = await targetOf(parts, record);
  if (!target.ok) return failed(target.error.message);
  const base = await findBase(target.value);
  if (!base.ok) return failed(base.error);
  const setup = setupFor(parts, { dir: record.targetDir, target: record.targetDir, without: [] }).map(
    (argv) => argv.join(' '),
  );
  const facts: BaseFacts = { ...base.value, setup };
  return done(facts);
}

interface BaseRunArgs {
  readonly plan: string;
  readonly commit: string;
  readonly commands: readonly string[];
  readonly without: readonly string[];
  readonly timeoutMs: number;
}

/** Setup and the project's own commands, once, on the base. */
export async function planBaseRun(task: PlanHostTask): Promise<Completion> {
  const { plan, ...run } = recorded<BaseRunArgs>(task.args);
  const record = task.parts.queries.plans.one(plan);
  if (record === null) return failed('there is no such plan');
  const target = await targetOf(task.parts, record);
  if (!target.ok) return failed(target.error.message);
  const commands = await SeveralCommands.of(task);
  const ends = await runOnCommit(task, commands, { target: target.value, ...run });
  if (commands.noEnd !== null) return withoutEnd(commands.noEnd);
  if (!ends.ok) return failed(ends.error);
  const value: BaseRun = { ends: ends.value };
  return done(value);
}

/** What the tasks of the plan are not judged by, as a person said. */
export async function recordBase({ parts, args }: PlanHostTask): Promise<Completion> {
  const { plan, commit, without } = recorded<BaseCheck & { readonly plan: string }>(args);
  const changed = await parts.store.changePlan(plan, (record) =>
    ok({ ...record, base: { commit, without } }),
  );
  return changed.ok ? done(null) : failed(changed.error);
}
