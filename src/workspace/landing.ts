import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { probe } from '../lib/probe.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { LandEnd, SealedWork, Target, Workspace } from '../model/workspace.ts';
import { integrationOf } from './integration.ts';
import { landingFolder } from './landing-folder.ts';
import { landedTouching } from './landed.ts';
import { lockedFor } from './lock.ts';
import { mergeTrees } from './merge.ts';
import { publish } from './publish.ts';
import { integrationRef, landedRef, madeRef, sealedRef } from './refs.ts';
import { commitTree } from './commit.ts';
import { commitAt, moveRefs, repositoryGit, repositoryText } from './repository.ts';
import { fromTarget } from './entries.ts';
import { openConflicts } from './bring-up-to-date.ts';

interface LandingCheck {
  /** The merged content is what the workspace held: nothing landed beside it. */
  readonly sameTree: boolean;
  /** Tasks that landed before and changed one of the same files. */
  readonly touching: readonly string[];
}

type LandingVerdict =
  | { readonly ok: true }
  | ({ readonly ok: false } & Omit<Extract<LandEnd, { at: 'broken' }>, 'at' | 'onto'>);

/** Judges the merged work in a checkout of it. */
export type VerifyLanding = (dir: string, commit: string, check: LandingCheck) => Promise<LandingVerdict>;

const maxTries = 3;

/**
 * Puts sealed work on the integration branch: one commit on its tip, one landing at a time. It is judged again unless it
 * is exactly what was judged in the workspace and no task that landed before changed the same files. The branch moves
 * only from the tip it was judged on. Asked again after a crash, it says what became of it.
 */
export async function land(
  target: Target,
  workspace: Workspace,
  sealed: SealedWork,
  { verify }: { readonly verify: VerifyLanding },
): Promise<Result<LandEnd, string>> {
  return lockedFor(target, 'landing', async () => {
    const before = await landedBefore(target, workspace, sealed);
    if (before !== null) return ok(before);
    const open = openConflicts(target, workspace);
    if (open.length > 0) return ok<LandEnd>({ at: 'conflict', files: open });
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const end = await landOnTip(target, workspace, sealed, verify);
      if (!end.ok) return end;
      if (end.value !== null) return ok(end.value);
    }
    return err('the integration branch is being moved by another process; nothing landed');
  });
}

/** Null when the branch was moved by somebody who does not hold the lock. */
async function landOnTip(
  target: Target,
  workspace: Workspace,
  sealed: SealedWork,
  verify: VerifyLanding,
): Promise<Result<LandEnd | null, string>> {
  const integration = await integrationOf(target);
  if (!integration.ok) return integration;
  const { tip } = integration.value;
  const merged = await mergeTrees(target, tip, sealed.commit);
  if (!merged.ok) return merged;
  const { tree, conflicts } = merged.value;
  const files = conflicts.map((path) => fromTarget(target, path));
  if (files.length > 0) return ok({ at: 'conflict', files });
  probe('land:merged');
  const commit = await onTop(target, sealed.commit, tree, tip);
  if (!commit.ok) return commit;
  const verdict = await judge(target, { workspace, sealed, commit: commit.value, tree }, verify);
  if (!verdict.ok) return verdict;
  if (verdict.value !== null) {
    return ok(verdict.value.at === 'broken' ? { ...verdict.value, onto: tip } : verdict.value);
  }
  probe('land:verified');
  const moved = await moveRefs(target, [
    `update ${integrationRef(target)} ${commit.value} ${tip}`,
    `update ${landedRef(target, workspace)} ${commit.value}`,
    `update ${madeRef(target, commit.value)} ${commit.value}`,
    `update ${sealedRef(target, workspace)} ${sealed.commit}`,
  ]);
  if (!moved.ok) return (await commitAt(target, integrationRef(target))) === tip ? moved : ok(null);
  probe('land:moved');
  await publish(target);
  return ok({ at: 'landed', commit: commit.value, before: tip });
}

interface MergedWork {
  readonly workspace: Workspace;
  readonly sealed: SealedWork;
  readonly commit: string;
  readonly tree: string;
}

/** Null when nothing speaks against it. */
async function judge(
  target: Target,
  { workspace, sealed, commit, tree }: MergedWork,
  verify: VerifyLanding,
): Promise<Result<LandEnd | null, string>> {
  const { created, modified, deleted } = sealed.files;
  const touching = await landedTouching(target, [...created, ...modified, ...deleted]);
  const check = {
    sameTree: tree === sealed.tree,
    touching: touching.filter((task) => task !== workspace.task),
  };
  if (check.sameTree && check.touching.length === 0) return ok(null);
  return judgedThere(target, commit, check, verify);
}

/** Judges a commit in the plan's checkout for that; null when nothing speaks against it. */
export async function judgedThere(
  target: Target,
  commit: string,
  check: LandingCheck,
  verify: VerifyLanding,
): Promise<Result<Exclude<LandEnd, { at: 'landed' }> | null, string>> {
  const folder = await landingFolder(target, commit);
  if (!folder.ok) return folder;
  probe('land:checked-out');
  const dir = join(folder.value, target.prefix);
  mkdirSync(dir, { recursive: true });
  const verdict = await verify(dir, commit, check);
  if (verdict.ok) return ok(null);
  const { ok: _passed, ...broken } = verdict;
  return ok({ at: 'broken', ...broken });
}

/** The same work with the same message, on the tip instead of its base. */
async function onTop(
  target: Target,
  sealed: string,
  tree: string,
  tip: string,
): Promise<Result<string, string>> {
  const shown = await repositoryText(target, [
    'log',
    '-1',
    '--no-show-signature',
    '--format=%an%x00%ae%x00%B',
    sealed,
  ]);
  if (!shown.ok) return shown;
  const [name = '', email = '', message = ''] = shown.value.split('\0');
  return commitTree(target, {
    tree,
    parents: [tip],
    message: `${message.trim()}\n`,
    author: { name, email },
  });
}

/** Refs of a landing move together with the branch: when they are there, it happened. */
async function landedBefore(
  target: Target,
  workspace: Workspace,
  sealed: SealedWork,
): Promise<LandEnd | null> {
  const commit = await commitAt(target, landedRef(target, workspace));
  if (commit === null || (await commitAt(target, sealedRef(target, workspace))) !== sealed.commit)
    return null;
  const contained = await repositoryGit(target, [
    'merge-base',
    '--is-ancestor',
    commit,
    integrationRef(target),
  ]);
  const before = await commitAt(target, `${commit}^`);
  return contained.exitCode === 0 && before !== null ? { at: 'landed', commit, before } : null;
}
