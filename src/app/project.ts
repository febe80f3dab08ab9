import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { digestText } from '../lib/digest.ts';
import { errorCode } from '../lib/error-code.ts';
import { isSafeId } from '../lib/ids.ts';

/** Where a project keeps its things. */
export interface ProjectPaths {
  readonly root: string;
  /** Tells processes of this project from those of another one that has a run of the same name. */
  readonly mark: string;
  readonly state: string;
  readonly database: string;
  run(id: string): string;
  session(id: string): string;
  archived(id: string): string;
  readonly logs: string;
}

/**
 * The nearest folder upwards that is a project already; else the repository around it; else the folder itself. Only
 * `init` and `run` make a project out of a folder.
 */
export function findProject(from: string): string {
  const ancestors = upwards(resolve(from));
  return ancestors.find(isProject) ?? ancestors.find(isRepository) ?? resolve(from);
}

/** What a folder that is no project yet lies in: a project or a repository above it, whichever is nearer; null: neither. */
export function findSurrounding(
  folder: string,
): { readonly is: 'project' | 'repository'; readonly path: string } | null {
  const [own, ...above] = upwards(resolve(folder));
  // A repository of its own belongs to no project around it.
  if (own === undefined || isRepository(own)) return null;
  const path = above.find((each) => isProject(each) || isRepository(each));
  return path === undefined ? null : { is: isProject(path) ? 'project' : 'repository', path };
}

export function isProject(folder: string): boolean {
  return existsSync(join(folder, 'tutti.yaml')) || isState(join(folder, '.tutti'));
}

/** Also without its database, which may be lost. */
function isState(folder: string): boolean {
  const names = ['tutti.db', 'runs', 'sessions', 'plans'];
  return names.some((name) => existsSync(join(folder, name))) || isClosed(folder);
}

/** Whether a folder is there whose content this user may not see. */
export function isClosed(folder: string): boolean {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return false;
  } catch (error) {
    return errorCode(error) === 'EACCES';
  }
}

/** A worktree has a file there. An empty folder of that name is somebody's left-over, and no repository. */
function isRepository(folder: string): boolean {
  const git = join(folder, '.git');
  return existsSync(join(git, 'HEAD')) || statSync(git, { throwIfNoEntry: false })?.isFile() === true;
}

export function pathsOf(root: string): ProjectPaths {
  const state = join(root, '.tutti');
  return {
    root,
    mark: projectMark(realpathSync(root)),
    state,
    database: join(state, 'tutti.db'),
    run: (id) => join(state, 'runs', checked(id)),
    session: (id) => join(state, 'sessions', checked(id)),
    archived: (id) => join(state, 'archive', 'sessions', checked(id)),
    logs: join(state, 'logs'),
  };
}

/** The mark of the project in a folder, by its real path. */
export function projectMark(root: string): string {
  return digestText(root).slice(0, 12);
}

/** The last line of defence: ids are checked where they enter, and here where they become a path. */
function checked(id: string): string {
  if (!isSafeId(id)) throw new Error(`'${id}' is not an id`);
  return id;
}

function upwards(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...upwards(parent)];
}
