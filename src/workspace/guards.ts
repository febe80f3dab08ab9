import { readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWithin } from '../lib/path-below.ts';
import { submodulesIn } from './submodules.ts';
import { factsOf } from './trust-root.ts';

/** What is guarded in a folder: the files of git and of Tutti, and those of the person's own CLIs, relative to it. */
export interface GuardedFolder {
  readonly root: string;
  readonly cliFiles: readonly string[];
}

/** A name inside a folder that agents do not write: it runs programs later with the rights of another user, or is Tutti's own truth. */
export interface Guard {
  readonly root: string;
  readonly path: string;
  /** What becomes of a file that comes into being under a name where none was. */
  readonly whenNew: 'stays' | 'put-aside';
}

/**
 * Of a repository. `.git` itself counts where it is a file, which may lead anywhere. `worktrees` matters to worktrees that
 * exist, `commondir` and `config.worktree` to every git that starts there.
 */
const gitNames: Readonly<Record<string, Guard['whenNew']>> = {
  '.git': 'put-aside',
  '.git/hooks': 'put-aside',
  '.git/config': 'put-aside',
  '.git/config.worktree': 'put-aside',
  '.git/commondir': 'put-aside',
  '.git/modules': 'put-aside',
  '.git/worktrees': 'stays',
};
/** Tutti uses them only where a person trusts them, or it made them. */
const ownNames = ['tutti.yaml', '.tutti'];

/** What is guarded in these folders and in the repositories that git lists inside them, whether it is there or not. */
export function findGuards(folders: readonly GuardedFolder[]): readonly Guard[] {
  const guards = folders.flatMap(({ root, cliFiles }) => {
    const of = (name: string, whenNew: Guard['whenNew']): Guard => ({
      root,
      path: join(root, name),
      whenNew,
    });
    return [
      ...['', ...submodulesOf(root)].flatMap((folder) =>
        Object.entries(gitNames).map(([name, whenNew]) => of(join(folder, name), whenNew)),
      ),
      ...ownNames.map((name) => of(name, 'stays')),
      ...cliFiles.map((name) => of(name, 'put-aside')),
    ];
  });
  return [...new Map(guards.map((guard) => [guard.path, guard])).values()];
}

/** Absent; a folder that only holds what is guarded; the text of a link; or there, for anything else. */
export function stateOfGuard(path: string): 'absent' | 'holder' | 'there' | `link ${string}` {
  const facts = factsOf(path);
  if (facts === null) return 'absent';
  if (facts.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  return facts.isDirectory() && path.endsWith('/.git') ? 'holder' : 'there';
}

/** Parents, from the top: a folder that can be moved away takes what is guarded in it along, and another one takes its place. */
export function holdersOf(guards: readonly Guard[]): readonly string[] {
  const all = guards.flatMap(({ root, path }) => parentsOf(root, path));
  return [...new Set(all)].toSorted((a, b) => a.length - b.length);
}

/** The path, or the first link on the way to it: nothing behind a link is the folder's own. */
export function topmost({ root, path }: Pick<Guard, 'root' | 'path'>): string {
  return parentsOf(root, path).find((parent) => factsOf(parent)?.isSymbolicLink() === true) ?? path;
}

function parentsOf(root: string, path: string): readonly string[] {
  const parent = dirname(path);
  return parent === root || !isWithin(root, parent) ? [] : [...parentsOf(root, parent), parent];
}

/** The repositories below a folder, and below those, relative to the folder. */
function submodulesOf(root: string, below = ''): readonly string[] {
  return submodulesIn(join(root, below)).flatMap((name) => {
    const folder = join(below, name);
    const git = { root, path: join(root, folder, '.git') };
    const isThere = topmost(git) === git.path && factsOf(git.path) !== null;
    return [folder, ...(isThere ? submodulesOf(root, folder) : [])];
  });
}
