import { realpathSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { digestText } from '../../lib/digest.ts';
import { slug } from '../../lib/ids.ts';
import { realPathBelow } from '../../lib/path-below.ts';
import { ok, type Result } from '../../lib/result.ts';
import type { FilesRecord, OperationArgs } from '../../model/operations.ts';
import type { Target } from '../../model/workspace.ts';
import { changedEntries } from '../../workspace/entries.ts';
import { publishRescues } from '../../workspace/publish.ts';
import { treeAt } from '../../workspace/repository.ts';
import { entriesAt, restore, snapshot } from '../../workspace/snapshot.ts';
import { openTarget } from '../../workspace/target.ts';
import { stateFolder } from '../state-folder.ts';
import { changedByOthers } from './changed-by-others.ts';
import { completionOf, done, failed } from './completions.ts';
import type { HostParts } from './host-parts.ts';
import type { OperationCall, OperationEnd } from './operation-call.ts';

/** Records the files of the project. */
export async function filesRecord(call: OperationCall<'files-record'>): Promise<OperationEnd<FilesRecord>> {
  const at = call.parts.clock.wall();
  const target = await targetOfProject(call.parts);
  return completionOf(target.ok ? await record(call, target.value, at) : target);
}

/** Puts files of the project back, and keeps what they were. */
export async function filesRestore({
  parts,
  args: { commit, files },
}: OperationCall<'files-restore'>): Promise<
  OperationEnd<{ restored: readonly string[]; rescue: string | null }>
> {
  const target = await targetOfProject(parts);
  if (!target.ok) return failed(target.error);
  const back = await restore(target.value, commit, files);
  if (!back.ok) return failed(back.error);
  const { restored, removed, rescue } = back.value;
  if (rescue !== null) await publishRescues(target.value);
  return done({ restored: [...restored, ...removed].toSorted(), rescue });
}

/** One for all runs that work in the folder of the project: what it learned about unchanged files serves each of them. */
function targetOfProject({ env, paths }: HostParts): Promise<Result<Target, string>> {
  const { root, mark } = paths;
  const owner = { kind: 'project', name: digestText(root).slice(0, 12) } as const;
  return openTarget({ dir: root, owner, stateDir: join(stateFolder(env), mark) });
}

async function record(
  { args, attempt, parts, workspace }: OperationCall<'files-record'>,
  target: Target,
  at: number,
): Promise<Result<FilesRecord, string>> {
  const { root } = parts.paths;
  const commit = await snapshot(target, nameRecord(attempt.runId, args));
  if (!commit.ok) return commit;
  const { since, first } = args;
  const changed = await changedSince(target, since?.commit ?? null, commit.value);
  if (!changed.ok) return changed;
  const differs = first === since?.commit ? changed : await changedSince(target, first, commit.value);
  if (!differs.ok) return differs;
  const named = args.named.map((name) => ({ name, path: pathInProject(root, workspace, name) }));
  const found = [...new Set(named.flatMap(({ path }) => path ?? []))];
  const recorded = await entriesAt(target, commit.value, found);
  if (!recorded.ok) return recorded;
  const unsure =
    args.moment === 'after'
      ? await changedByOthers(parts, { runId: attempt.runId, id: args.of }, differs.value)
      : [];
  const isNew = (path: string): boolean =>
    !recorded.value.has(path) && isWrittenSince(join(root, path), since?.at ?? at);
  return ok({
    commit: commit.value,
    at,
    tree: (await treeAt(target, commit.value)) ?? '',
    changed: changed.value,
    differs: differs.value,
    unsure,
    missing: named.filter(({ path }) => path === null).map(({ name }) => name),
    found,
    ignored: found.filter((path) => !path.startsWith('.tutti/') && isNew(path)),
  });
}

/** Null: there is nothing to compare with. */
async function changedSince(
  target: Target,
  from: string | null,
  to: string,
): Promise<Result<readonly string[], string>> {
  if (from === null) return ok([]);
  const entries = await changedEntries(target, from, to);
  return entries.ok ? ok(entries.value.map(({ path }) => path)) : entries;
}

/** People see the name of the first record: work is rescued under it. */
function nameRecord(runId: string, { of, moment }: OperationArgs<'files-record'>): string {
  const name = `${slug(runId, 28)}-${slug(of, 16)}-${digestText(`${runId} ${of}`).slice(0, 8)}`;
  return moment === 'before' ? name : `${name}-${moment}`;
}

/** Null: it does not exist, or is outside the project. */
function pathInProject(root: string, workspace: string, name: string): string | null {
  const path = realPathBelow(root, relative(root, resolve(workspace, name)));
  return path.ok ? relative(realpathSync(root), path.value) : null;
}

function isWrittenSince(path: string, at: number): boolean {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts?.isFile() === true && facts.mtimeMs >= at;
}
