import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSafeName } from '../lib/ids.ts';
import { probe } from '../lib/probe.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { Target, Workspace } from '../model/workspace.ts';
import { fillFolder, indexOf, plantRepository } from './checkout.ts';
import { forgetSetUp } from './hooks.ts';
import { integrationOf } from './integration.ts';
import { copyIncluded } from './include.ts';
import { lockedFor } from './lock.ts';
import { claimEnvironment } from './ports.ts';
import { readRecord, rootOf, writeRecord } from './record.ts';
import { branchOf, nameOf } from './refs.ts';
import { takeUp } from './bring-up-to-date.ts';

export interface Attempt {
  readonly task: string;
  readonly attempt: number;
  readonly run: string;
  /** Whether `.worktreeinclude` counts. */
  readonly includes: boolean;
}

const envFile = '.tutti-workspace.env';

/**
 * The checkout of one attempt at a task. Asked again it is the same one, with everything in it; one whose making was
 * interrupted is made again; one that is no longer what was made is refused.
 */
export async function openWorkspace(target: Target, attempt: Attempt): Promise<Result<Workspace, string>> {
  const name = nameOf(attempt);
  if (!isSafeName(attempt.task) || !isSafeName(name)) return err(`'${name}' is not a name for a workspace`);
  return lockedFor(target, name, async () => {
    const root = rootOf(target, attempt);
    const known = readRecord(target, attempt);
    if (known !== null && existsSync(root)) return takeUp(target, known);
    const made = known === null ? await plan(target, attempt, root) : ok(known.workspace);
    if (!made.ok) return made;
    writeRecord(target, { workspace: made.value, run: attempt.run, update: null });
    probe('workspace:recorded');
    return build(target, made.value, attempt.includes);
  });
}

async function plan(target: Target, attempt: Attempt, root: string): Promise<Result<Workspace, string>> {
  const integration = await integrationOf(target);
  if (!integration.ok) return integration;
  const env = claimEnvironment(target, attempt);
  if (!env.ok) return env;
  probe('workspace:ports');
  const { owner, prefix } = target;
  return ok({
    task: attempt.task,
    attempt: attempt.attempt,
    root,
    dir: join(root, prefix),
    branch: branchOf(owner, attempt),
    base: integration.value.tip,
    env: env.value,
  });
}

/** Beside its place first: a checkout is there whole, or not. Under a name of this process's, as a git of one that died may still be writing. */
async function build(
  target: Target,
  workspace: Workspace,
  includes: boolean,
): Promise<Result<Workspace, string>> {
  const { root, base, branch } = workspace;
  const index = indexOf(target, nameOf(workspace));
  const making = `${root}.${process.pid}.new`;
  rmSync(making, { recursive: true, force: true });
  const filled = await fillFolder(target, { root: making, commit: base, branch }, index);
  if (!filled.ok) return err(`no workspace for ${nameOf(workspace)}: ${filled.error}`);
  probe('workspace:files');
  plantRepository(target, { root: making, commit: base, branch }, index);
  const dir = join(making, target.prefix);
  mkdirSync(dir, { recursive: true });
  const included = includes ? await copyIncluded(target, making) : ok([]);
  if (!included.ok) return included;
  if (!existsSync(join(dir, envFile)))
    writeFileSync(join(dir, envFile), envText(workspace.env), { mode: 0o600 });
  forgetSetUp(target, nameOf(workspace));
  probe('workspace:filled');
  renameSync(making, root);
  probe('workspace:made');
  return ok(workspace);
}

function envText(env: Workspace['env']): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
