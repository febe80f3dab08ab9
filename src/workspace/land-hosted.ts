import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { probe } from '../lib/probe.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { LandEnd, Target } from '../model/plan/workspace.ts';
import { commitTree, messageOf } from './commit.ts';
import { changedEntries, fromTarget } from './entries.ts';
import { partsOf } from './git.ts';
import { integrationOf } from './integration.ts';
import { locked } from './lock.ts';
import { mergeTrees } from './merge.ts';
import { publish } from './publish.ts';
import { integrationRef, landedRef, sealedRef } from './refs.ts';
import { moveRefs, planText, treeAt } from './repository.ts';
import { refusedEntries } from './seal.ts';

export interface HostedWork {
  readonly task: string;
  readonly attempt: number;
  /** What the target was like when the task was started. */
  readonly snapshot: string;
  /** The task's own files, relative to the target. */
  readonly files: readonly string[];
  readonly message: string;
  readonly trailers: Readonly<Record<string, string>>;
}

/**
 * Puts what an agent did in the operator's own checkout onto the integration branch, so that tasks in workspaces have it
 * too: exactly these files, merged by what they were before. The checkout itself is only read. Null when the branch has
 * all of it already, also when it was asked before.
 */
export function landHosted(target: Target, work: HostedWork): Promise<Result<LandEnd | null, string>> {
  return locked(join(target.state, 'locks', 'landing'), () => landFiles(target, work));
}

async function landFiles(target: Target, work: HostedWork): Promise<Result<LandEnd | null, string>> {
  const integration = await integrationOf(target);
  if (!integration.ok) return integration;
  const { tip } = integration.value;
  const before = await treeWith(target, tip, (index) => asInSnapshot(target, work, index));
  if (!before.ok) return before;
  const now = await treeWith(target, tip, (index) => asInCheckout(target, work, index));
  if (!now.ok) return now;
  const entries = await changedEntries(target, tip, now.value);
  if (!entries.ok) return entries;
  const bad = await refusedEntries(target, entries.value);
  if (bad !== null) return err(bad);
  const merged = await mergedWith(target, tip, before.value, now.value);
  if (!merged.ok) return merged;
  const { tree, conflicts } = merged.value;
  if (conflicts.length > 0)
    return ok({ at: 'conflict', files: conflicts.map((path) => fromTarget(target, path)) });
  if (tree === (await treeAt(target, tip))) return ok(null);
  const message = messageOf(work.message, work.trailers);
  const commit = await commitTree(target, { tree, parents: [tip], message });
  if (!commit.ok) return commit;
  probe('hosted:merged');
  const moved = await moveRefs(target, [
    `update ${integrationRef(target)} ${commit.value} ${tip}`,
    `update ${landedRef(target, work)} ${commit.value}`,
    `update ${sealedRef(target, work)} ${commit.value}`,
  ]);
  if (!moved.ok) return moved;
  probe('hosted:moved');
  await publish(target);
  return ok({ at: 'landed', commit: commit.value, before: tip });
}

/** Three ways: what the files were, what they are, and what the tip has. Only a commit can say what two came from. */
async function mergedWith(target: Target, tip: string, before: string, now: string) {
  const message = messageOf('Work of a hosted agent', {});
  const tipTree = await treeAt(target, tip);
  if (tipTree === null) return err(`${tip} has no content`);
  const from = await commitTree(target, { tree: before, parents: [], message });
  if (!from.ok) return from;
  const theirs = await commitTree(target, { tree: tipTree, parents: [from.value], message });
  if (!theirs.ok) return theirs;
  const ours = await commitTree(target, { tree: now, parents: [from.value], message });
  return ours.ok ? mergeTrees(target, theirs.value, ours.value) : ours;
}

let count = 0;

/** The tip's tree with some files changed. */
async function treeWith(
  target: Target,
  tip: string,
  change: (index: string) => Promise<Result<string, string>>,
): Promise<Result<string, string>> {
  count += 1;
  const index = join(target.state, 'index', `hosted.${process.pid}-${count}`);
  try {
    const filled = await planText(target, ['read-tree', tip], { index });
    const changed = filled.ok ? await change(index) : filled;
    return changed.ok ? await planText(target, ['write-tree'], { index }) : changed;
  } finally {
    rmSync(index, { force: true });
  }
}

function asInCheckout(target: Target, { files }: HostedWork, index: string): Promise<Result<string, string>> {
  const input = files.map((path) => `${join(target.prefix, path)}\0`).join('');
  const args = ['update-index', '--add', '--remove', '-z', '--stdin'];
  return planText(target, args, { index, workTree: target.root, input });
}

async function asInSnapshot(
  target: Target,
  { snapshot, files }: HostedWork,
  index: string,
): Promise<Result<string, string>> {
  const listed = await planText(target, ['ls-tree', '-r', '-z', '--full-tree', snapshot]);
  if (!listed.ok) return err(`there is no snapshot ${snapshot}`);
  const known = new Map(
    partsOf(listed.value).map((line) => {
      const [facts = '', path = ''] = line.split('\t', 2);
      const [mode = '', , blob = ''] = facts.split(' ');
      return [path, `${mode} ${blob}`] as const;
    }),
  );
  const none = `0 ${'0'.repeat(snapshot.length)}`;
  const input = files.map((path) => `${known.get(path) ?? none}\t${join(target.prefix, path)}\0`).join('');
  return planText(target, ['update-index', '-z', '--index-info'], { index, input });
}
