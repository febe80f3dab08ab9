import { digestText } from '../../../lib/digest.ts';
import type { WrittenFiles } from '../../../model/plan/execute-parts.ts';
import { firstFew } from '../../../lib/first-few.ts';
import { ignoredFiles } from '../../../workspace/ignored.ts';
import { landedTouching } from '../../../workspace/landed.ts';
import { changedFiles } from '../../../workspace/seal.ts';
import { uncommittedFiles } from '../../../workspace/uncommitted.ts';
import { done } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { contentsOf } from '../work/file-contents.ts';

/** What the workspace holds beyond its base. */
export async function taskWritten({
  args: { task, target, workspace, paths, prepared },
}: OperationCall<'task-written'>): Promise<OperationEnd<WrittenFiles>> {
  const files = await changedFiles(target, workspace);
  const landedBefore = (await landedTouching(target, paths)).includes(task);
  if (!files.ok) return done(unlandable(files.error, landedBefore));
  const { created, modified, deleted, tree } = files.value;
  const ignored = await ignoredFiles(target, workspace, tree, paths);
  if (!ignored.ok) return done(unlandable(ignored.error, landedBefore));
  if (ignored.value.length > 0) return done(unlandable(whyIgnored(ignored.value), landedBefore));
  const own = created.filter((path) => prepared[path] !== contentsOf(workspace.dir, [path]));
  const isEmpty = own.length + modified.length + deleted.length === 0;
  const elsewhere = isEmpty
    ? (await uncommittedFiles(target.dir)).filter((path) => paths.includes(path))
    : [];
  return done({
    files: { created: own, modified, deleted },
    digest: contentsOf(workspace.dir, [...own, ...modified, ...deleted]),
    tree,
    problem: null,
    landedBefore,
    ...(elsewhere.length === 0 ? {} : { elsewhere }),
  });
}

/** Work of which a part cannot land would be called done, although what it promises is not in its commit. */
function whyIgnored(paths: readonly string[]): string {
  return `git ignores files that the task declares, so they cannot land: ${firstFew(paths, 5)}`;
}

function unlandable(problem: string, landedBefore: boolean): WrittenFiles {
  return {
    files: { created: [], modified: [], deleted: [] },
    digest: digestText(problem),
    problem,
    landedBefore,
  };
}
