import { ok, type Result } from '../lib/result.ts';
import type { Target } from '../model/workspace.ts';
import { fromTarget } from './entries.ts';
import { partsOf } from './git.ts';
import { repositoryText } from './repository.ts';

/** Names of the contents that these files (relative to the target) have in a commit; one that is not there is not in it. */
export async function blobsAt(
  target: Target,
  commit: string,
  paths: readonly string[],
): Promise<Result<ReadonlyMap<string, string>, string>> {
  const listed = await repositoryText(target, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  if (!listed.ok) return listed;
  const wanted = new Set(paths);
  const found = partsOf(listed.value).flatMap((line): readonly (readonly [string, string])[] => {
    const [facts = '', path = ''] = line.split('\t', 2);
    const [mode = '', , blob = ''] = facts.split(' ');
    const own = fromTarget(target, path);
    return wanted.has(own) ? [[own, `${mode} ${blob}`]] : [];
  });
  return ok(new Map(found));
}
