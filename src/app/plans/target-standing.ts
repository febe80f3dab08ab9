import { type Dirent, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { realPathBelow } from '../../lib/path-below.ts';
import type { Standing } from '../../model/plan/plan-facts.ts';

/**
 * What stands at paths of the target directory, links followed. Each directory is listed once: a plan asks for thousands of
 * files, and most of them lie side by side or nowhere yet.
 */
export function targetStanding(targetDir: string): (path: string) => Standing {
  const folders = new Map<string, Folder>();
  const folderAt = (path: string): Folder => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const folder = listed(path);
    folders.set(path, folder);
    return folder;
  };
  const listed = (path: string): Folder => {
    const above = path === '.' ? null : folderAt(dirname(path));
    if (above !== null && !(above.at === 'folder' && above.entries.has(nameOf(path)))) {
      return above.at === 'outside' ? above : { at: 'absent' };
    }
    const real = realPathBelow(targetDir, path);
    if (!real.ok) return { at: real.error.includes('leads outside') ? 'outside' : 'absent' };
    try {
      const entries = readdirSync(real.value, { withFileTypes: true });
      return { at: 'folder', entries: new Map(entries.map((entry) => [entry.name, entry])) };
    } catch {
      return { at: 'absent' };
    }
  };
  return (path) => {
    const slash = path.lastIndexOf('/');
    const folder = folderAt(slash < 0 ? '.' : path.slice(0, slash));
    if (folder.at !== 'folder') return folder.at;
    const entry = folder.entries.get(nameOf(path));
    if (entry === undefined) return 'absent';
    return entry.isSymbolicLink() ? linked(targetDir, path) : entry.isDirectory() ? 'folder' : 'file';
  };
}

type Folder =
  | { readonly at: 'absent' | 'outside' }
  | { readonly at: 'folder'; readonly entries: ReadonlyMap<string, Dirent> };

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function linked(targetDir: string, path: string): Standing {
  const real = realPathBelow(targetDir, path);
  // A link that leads nowhere may lead anywhere tomorrow.
  if (!real.ok) return 'outside';
  return statSync(join(real.value)).isDirectory() ? 'folder' : 'file';
}
