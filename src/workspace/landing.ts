import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { probe } from '../lib/probe.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { LandEnd, SealedWork, Target, Workspace } from '../model/plan/workspace.ts';
import { ensureIntegration } from './integration.ts';
import { landingFolder } from './landing-folder.ts';
import { landedTouching } from './landed.ts';
import { locked } from './lock.ts';
import { mergeTrees } from './merge.ts';
import { publish } from './publish.ts';
import { integrationRef, landedRef, sealedRef } from './refs.ts';
import { commitTree } from './commit.ts';
import { commitAt, moveRefs, planGit, planText, treeAt } from './repository.ts';
import { fromTarget } from './entries.ts';

export { landedTouching } from './landed.ts';
export { bringUpToDate, type UpToDate } from './up-to-date.ts';

export interface LandingCheck {
  /** The merged content is what the workspace held: nothing landed beside it. */
  readonly sameTree: boolean;
  /** Tasks that landed before and changed one of the same files. */
  readonly touching: readonly string[];
}

export type LandingVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly task: string; readonly criterion: string; readonly output: string };

/** Judges the merged work in a checkout of it. */
export type VerifyLanding = (dir: string, commit: string, check: LandingCheck) => Promise<LandingVerdict>;

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
  return locked(join(target.state, 'locks', 'landing'), async () => {
    const before = await landedBefore(target, workspace, sealed);
    if (before !== null) return ok(before);
    const integration = await ensureIntegration(target);
    if (!integration.ok) return integration;
    return landOn(target, workspace, sealed, integration.value.tip, verify);
  });
}

async function landOn(
  target: Target,
  workspace: Workspace,
  sealed: SealedWork,
  tip: string,
  verify: VerifyLanding,
): Promise<Result<LandEnd, string>> {
  const merged = await mergeTrees(target, tip, sealed.commit);
  if (!merged.ok) return merged;
  const { tree, conflicts } = merged.value;
  if (conflicts.length > 0)
    return ok({ at: 'conflict', files: conflicts.map((path) => fromTarget(target, path)) });
  probe('land:merged');
  const commit = await onTop(target, sealed.commit, tree, tip);
  if (!commit.ok) return commit;
  const { created, modified, deleted } = sealed.files;
  const touching = await landedTouching(target, [...created, ...modified, ...deleted]);
  const check = {
    sameTree: tree === sealed.tree,
    touching: touching.filter((task) => task !== workspace.task),
  };
  if (!check.sameTree || check.touching.length > 0) {
    const folder = await landingFolder(target, commit.value);
    if (!folder.ok) return folder;
    probe('land:checked-out');
    const dir = join(folder.value, target.prefix);
    mkdirSync(dir, { recursive: true });
    const verdict = await verify(dir, commit.value, check);
    if (!verdict.ok) {
      const { task, criterion, output } = verdict;
      return ok({ at: 'broken', task, criterion, output });
    }
  }
  probe('land:verified');
  const moved = await moveRefs(target, [
    `update ${integrationRef(target)} ${commit.value} ${tip}`,
    `update ${landedRef(target, workspace)} ${commit.value}`,
    `update ${sealedRef(target, workspace)} ${sealed.commit}`,
  ]);
  if (!moved.ok) return err(`the integration branch was moved by somebody else; ${moved.error}`);
  probe('land:moved');
  await publish(target);
  return ok({ at: 'landed', commit: commit.value, before: tip });
}

/** The same work with the same message, on the tip instead of its base. */
async function onTop(
  target: Target,
  sealed: string,
  tree: string,
  tip: string,
): Promise<Result<string, string>> {
  const shown = await planText(target, [
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
  if (commit === null || (await treeAt(target, sealedRef(target, workspace))) !== sealed.tree) return null;
  const contained = await planGit(target, ['merge-base', '--is-ancestor', commit, integrationRef(target)]);
  const before = await commitAt(target, `${commit}^`);
  return contained.exitCode === 0 && before !== null ? { at: 'landed', commit, before } : null;
}
