import { ownerPart } from '../model/owner.ts';
import type { Target } from '../model/workspace.ts';
import { partsOf } from './git.ts';
import { baseRef, integrationRef } from './refs.ts';
import { repositoryGit } from './repository.ts';
import { fromTarget } from './entries.ts';

/** Tasks whose landed commits changed one of these files (relative to the target), in the order they landed. */
export async function landedTouching(target: Target, files: readonly string[]): Promise<readonly string[]> {
  const wanted = new Set(files);
  const tasks = new Map<string, string>();
  const range = `${baseRef(target)}..${integrationRef(target)}`;
  const args = ['log', '-z', '--reverse', '--first-parent', '--no-renames', '--name-only', '--format=%x01%H'];
  const { stdout } = await repositoryGit(target, [...args, range]);
  const landed = await landedTasks(target);
  let commit = '';
  for (const part of partsOf(stdout).map((text) => text.replace(/^\n/, ''))) {
    if (part.startsWith('\u0001')) commit = part.slice(1).trim();
    else if (wanted.has(fromTarget(target, part))) tasks.set(landed.get(commit) ?? '', commit);
  }
  tasks.delete('');
  return [...tasks.keys()];
}

/** Which task a commit of the integration branch is of. */
async function landedTasks(target: Target): Promise<ReadonlyMap<string, string>> {
  const start = `refs/tutti/landed/${ownerPart(target.owner)}/`;
  const { stdout } = await repositoryGit(target, [
    'for-each-ref',
    '--format=%(objectname) %(refname)',
    start,
  ]);
  return new Map(
    stdout.split('\n').flatMap((line) => {
      const [commit, ref] = line.split(' ');
      if (commit === undefined || ref === undefined) return [];
      return [[commit, ref.slice(start.length).replace(/-\d+$/, '')]];
    }),
  );
}
