import { findProject, pathsOf } from '../project.ts';
import { backupFolderOf, type Environment } from '../tutti.ts';
import { wasUsed } from './database-fault.ts';

/** Whether a folder without runs had some: its state was removed, and copies of its database are kept. */
export function hasKeptHistory(folder: string, env: Environment): boolean {
  const paths = pathsOf(findProject(folder));
  return !wasUsed(paths) && backupFolderOf(paths, env).lineages().length > 0;
}
