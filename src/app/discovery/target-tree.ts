import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What is in the target without being its source: never looked into. */
const ignored = new Set([
  'node_modules',
  '__pycache__',
  'venv',
  '.venv',
  'dist',
  'build',
  'target',
  'coverage',
  'vendor',
  'out',
]);

export interface TargetTree {
  /** Relative, with `/`; folders end in `/`. Sorted, so that the same target gives the same text. */
  readonly entries: readonly string[];
  /** There was more than is told. */
  readonly cut: boolean;
}

/** Files and folders of a directory, so deep and so many at most. Links are not followed: they are not even named. */
export function targetTree(dir: string, depth: number, most: number): TargetTree {
  const entries: string[] = [];
  const walk = (below: string, left: number): boolean => {
    for (const entry of sorted(join(dir, below))) {
      const path = `${below}${entry.name}`;
      // A name that spans lines could pass for something that we say.
      if (/\p{Cc}/u.test(entry.name)) continue;
      if (entry.isSymbolicLink() || (!entry.isDirectory() && !entry.isFile())) continue;
      if (entry.isDirectory() && (isIgnored(entry.name) || isOtherProject(join(dir, path)))) continue;
      if (entries.length >= most) return false;
      entries.push(entry.isDirectory() ? `${path}/` : path);
      if (entry.isDirectory() && left > 1 && !walk(`${path}/`, left - 1)) return false;
    }
    return true;
  };
  const whole = walk('', depth);
  return { entries, cut: !whole };
}

/** Hidden folders hold tools' own things, except the one that says how the project is built. */
function isIgnored(name: string): boolean {
  return ignored.has(name) || (name.startsWith('.') && name !== '.github');
}

/** A folder with a configuration of its own is another project, such as the demo. */
function isOtherProject(folder: string): boolean {
  return existsSync(join(folder, 'tutti.yaml'));
}

/** A folder that may not be read has nothing to tell. */
function sorted(dir: string): readonly Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
