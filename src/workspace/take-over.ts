import { probe } from '../lib/probe.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { HandWork } from '../model/plan/task-state.ts';
import type { LandEnd, Target } from '../model/workspace.ts';
import { blobsAt } from './blobs.ts';
import { commitTree, messageOf } from './commit.ts';
import { changedEntries, fromTarget } from './entries.ts';
import { integrationOf } from './integration.ts';
import { landedTouching } from './landed.ts';
import { judgedThere, type VerifyLanding } from './landing.ts';
import { lockedFor } from './lock.ts';
import { mergeTrees } from './merge.ts';
import { publish } from './publish.ts';
import { integrationRef, landedRef, madeRef, takenRef } from './refs.ts';
import { commitAt, moveRefs, treeAt } from './repository.ts';
import { refusedEntries, type Sealing } from './seal.ts';
import { entriesAt } from './snapshot.ts';
import { treeWith } from './tree-with.ts';

/** A task that was done in the operator's own folder. */
export interface HandTask extends HandWork, Sealing {
  readonly task: string;
  readonly attempt: number;
}

export type TakeEnd =
  | { readonly at: 'taken'; readonly commit: string }
  /** The branch had it already: it was committed before the plan began, or taken earlier. */
  | { readonly at: 'there' }
  /** These are no longer what was accepted. */
  | { readonly at: 'changed'; readonly files: readonly string[] }
  | Exclude<LandEnd, { at: 'landed' }>;

export interface TakeOver {
  /** A snapshot of the folder as it is, with all of the task's paths in it. */
  readonly now: string;
  /** Paths that other work by hand has changed since, or is changing. */
  readonly later: ReadonlySet<string>;
  readonly verify: VerifyLanding;
}

const maxTries = 3;

/**
 * Puts what a task changed in the operator's folder onto the integration branch: one commit on its tip, judged there,
 * under the lock of landings. It is merged as the change that it was, so nothing else of the folder comes along and nothing
 * that landed is lost. The folder, its index and its branches are only read. Asked again, it is done already.
 */
export function takeOver(target: Target, work: HandTask, how: TakeOver): Promise<Result<TakeEnd, string>> {
  return lockedFor(target, 'landing', async () => {
    if ((await commitAt(target, takenRef(target, work))) !== null) return ok<TakeEnd>({ at: 'there' });
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const end = await takeOnTip(target, work, how);
      if (!end.ok) return end;
      if (end.value !== null) return ok(end.value);
    }
    return err('the integration branch is being moved by another process; nothing was taken');
  });
}

/** Null when the branch was moved by somebody who does not hold the lock. */
async function takeOnTip(
  target: Target,
  work: HandTask,
  { now, later, verify }: TakeOver,
): Promise<Result<TakeEnd | null, string>> {
  const integration = await integrationOf(target);
  if (!integration.ok) return integration;
  const { tip } = integration.value;
  const here = await entriesAt(target, now, work.paths);
  const accepted = await entriesAt(target, work.after, work.paths);
  const onTip = await blobsAt(target, tip, work.paths);
  if (!here.ok) return here;
  if (!accepted.ok) return accepted;
  if (!onTip.ok) return onTip;
  const touching = (await landedTouching(target, work.paths)).filter((task) => task !== work.task);
  const check = { sameTree: false, touching };
  const changed = work.paths.filter(
    (path) => !later.has(path) && here.value.get(path) !== accepted.value.get(path),
  );
  if (work.paths.every((path) => here.value.get(path) === onTip.value.get(path))) {
    // Nothing is mixed; but what was edited after it was accepted has to be looked at again.
    const broken = changed.length === 0 ? ok(null) : await judgedThere(target, tip, check, verify);
    return broken.ok && broken.value === null ? markTaken(target, work, tip) : broken;
  }
  if (changed.length > 0) return ok({ at: 'changed', files: changed });
  const merged = await mergedOnto(target, work, tip);
  if (!merged.ok) return merged;
  const { tree, conflicts } = merged.value;
  if (conflicts.length > 0) {
    return ok({ at: 'conflict', files: conflicts.map((path) => fromTarget(target, path)) });
  }
  if (tree === (await treeAt(target, tip))) return markTaken(target, work, tip);
  const message = messageOf(work.message, work.trailers);
  const commit = await commitTree(target, { tree, parents: [tip], message });
  if (!commit.ok) return commit;
  const entries = await changedEntries(target, tip, commit.value);
  if (!entries.ok) return entries;
  const bad = await refusedEntries(target, entries.value);
  if (bad !== null) return err(bad);
  probe('take:committed');
  const broken = await judgedThere(target, commit.value, check, verify);
  if (!broken.ok || broken.value !== null) return broken;
  probe('take:verified');
  const moved = await moveRefs(target, [
    `update ${integrationRef(target)} ${commit.value} ${tip}`,
    `update ${landedRef(target, work)} ${commit.value}`,
    `update ${madeRef(target, commit.value)} ${commit.value}`,
    `update ${takenRef(target, work)} ${commit.value}`,
  ]);
  if (!moved.ok) return (await commitAt(target, integrationRef(target))) === tip ? moved : ok(null);
  probe('take:moved');
  await publish(target);
  return ok({ at: 'taken', commit: commit.value });
}

async function markTaken(target: Target, work: HandTask, tip: string): Promise<Result<TakeEnd, string>> {
  const marked = await moveRefs(target, [`update ${takenRef(target, work)} ${tip}`]);
  return marked.ok ? ok({ at: 'there' }) : marked;
}

/** The change from before to after, made to the tip: as a merge of two commits that begin where the task began. */
async function mergedOnto(
  target: Target,
  { before, after, paths }: HandWork,
  tip: string,
): ReturnType<typeof mergeTrees> {
  const trees = [];
  for (const from of [before, after]) {
    const tree = await treeWith(target, tip, { from, paths });
    if (!tree.ok) return tree;
    trees.push(tree.value);
  }
  const [first = '', last = ''] = trees;
  const bare = (tree: string, parents: readonly string[]) =>
    commitTree(target, { tree, parents, message: 'work by hand\n' });
  const base = await bare(first, []);
  if (!base.ok) return base;
  const theirs = await bare(last, [base.value]);
  if (!theirs.ok) return theirs;
  const ours = await bare(`${tip}^{tree}`, [base.value]);
  return ours.ok ? mergeTrees(target, ours.value, theirs.value) : ours;
}
