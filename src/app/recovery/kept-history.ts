import { findProject, pathsOf } from '../project.ts';
import { backupFolderOf } from '../open-store.ts';
import type { Environment, OpenedProject } from '../opened-project.ts';
import { wasUsed } from './database-fault.ts';

/** Whether a folder without runs had some: its state was removed, and copies of its database are kept. */
export function hasKeptHistory(folder: string, env: Environment): boolean {
  const paths = pathsOf(findProject(folder));
  return !wasUsed(paths) && backupFolderOf(paths, env).lineages().length > 0;
}

/** Whether this command has just made the state of a project whose earlier state was removed. */
export async function replacesRemoved({ store, paths, env }: OpenedProject): Promise<boolean> {
  const { id, changes } = await store.lineage();
  return (
    changes === 0 &&
    backupFolderOf(paths, env)
      .lineages()
      .some((other) => other !== id)
  );
}
