import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { recorded } from '../../../lib/json.ts';
import { ok, type Result } from '../../../lib/result.ts';
import type { Completion } from '../../../model/entry.ts';
import type { SealEnd, WrittenFiles } from '../../../model/plan/execute-parts.ts';
import { argvOf } from '../../../model/plan/plan-task.ts';
import { runsCommand } from '../../../model/plan/validate-criteria.ts';
import type { SealedWork, Target, Workspace } from '../../../model/plan/workspace.ts';
import { setUpLanding } from '../../../workspace/hooks.ts';
import { land, type VerifyLanding } from '../../../workspace/landing.ts';
import { changedFiles, changedSince, sealWorkspace } from '../../../workspace/seal.ts';
import { completionOf, done, failed, withoutEnd } from './completions.ts';
import type { PlanHostTask } from './plan-host-task.ts';
import { complaintOf, SeveralCommands } from './several-commands.ts';
import { contentsOf } from './task-written.ts';
import { hookOf } from './hook-of.ts';
import { failedSetup, leftOut, setupFor } from './workspace-setup.ts';

interface SealArgs {
  readonly task: string;
  readonly name: string;
  readonly agent: string;
  readonly target: Target;
  readonly workspace: Workspace;
  readonly written: WrittenFiles;
}

/**
 * The work that was judged, as one commit, and nothing else: what acceptance commands left lying is removed, and work that
 * somebody changed after the judgement is not sealed.
 */
export async function taskSeal({ args, attempt }: PlanHostTask): Promise<Completion> {
  const { task, name, agent, target, workspace, written } = recorded<SealArgs>(args);
  const judged = [...written.files.created, ...written.files.modified, ...written.files.deleted];
  const now = await changedFiles(target, workspace);
  if (!now.ok) return failed(now.error);
  const known = new Set(judged);
  for (const path of now.value.created) {
    if (!known.has(path)) rmSync(join(workspace.dir, path), { force: true });
  }
  const changed = [...now.value.modified, ...now.value.deleted].filter((path) => !known.has(path));
  if (contentsOf(workspace.dir, judged) !== written.digest) {
    const since = await judgedAndChanged(target, workspace, written, judged);
    if (!since.ok) return failed(since.error);
    changed.push(...since.value);
  }
  if (changed.length > 0) return sealed({ at: 'changed', paths: changed });
  const work = await sealWorkspace(target, workspace, {
    message: `${task}: ${name}`,
    trailers: { 'Tutti-Task': task, 'Tutti-Run': attempt.runId, 'Tutti-Agent': agent },
  });
  if (!work.ok) return failed(work.error);
  return sealed(work.value === 'empty' ? { at: 'empty' } : { at: 'sealed', sealed: work.value });
}

/** Names the judged files that are no longer what was judged; all of them where it is not known which. */
async function judgedAndChanged(
  target: Target,
  workspace: Workspace,
  { tree }: WrittenFiles,
  judged: readonly string[],
): Promise<Result<readonly string[], string>> {
  if (tree === undefined) return ok(judged);
  const since = await changedSince(target, workspace, tree, judged);
  return since.ok && since.value.length === 0 ? ok(judged) : since;
}

function sealed(end: SealEnd): Completion {
  return done(end);
}

interface LandArgs {
  readonly plan: string;
  readonly task: string;
  readonly target: Target;
  readonly workspace: Workspace;
  readonly sealed: SealedWork;
  readonly timeoutMs: number;
  /** Commands that nothing is judged by; absent: a run of an earlier release. */
  readonly without?: readonly string[];
}

/** Puts sealed work onto the integration branch, if it holds there together with what landed before. */
export async function taskLand(task: PlanHostTask): Promise<Completion> {
  const args = recorded<LandArgs>(task.args);
  const commands = await SeveralCommands.of(task);
  const { plan, task: id, target, timeoutMs, without } = args;
  const { env } = args.workspace;
  const verify = verifier(task, { plan, task: id, target, timeoutMs, env, without }, commands);
  const end = await land(args.target, args.workspace, args.sealed, { verify });
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
  task: PlanHostTask,
  { plan, task: id, target, env, timeoutMs, without = [] }: Judging,
  commands: SeveralCommands,
): VerifyLanding {
  const { queries } = task.parts;
  return async (cwd, _commit, { touching }) => {
    const ready = await setUpLanding(
      target,
      setupFor(task.parts, { dir: cwd, target: target.dir, without: leftOut(task.parts, plan, without) }),
      hookOf(task, commands),
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
