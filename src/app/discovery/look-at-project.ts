import { join } from 'node:path';
import { readText } from '../../lib/read-text.ts';
import type { ProjectType } from '../../model/plan/plan-record.ts';
import { hasSources, manifestNames, type ProjectFiles } from '../../model/project/project-files.ts';
import { targetTree } from './target-tree.ts';

const maxRead = 1024 * 1024;
/** How deep names are looked for: most sources lie above that. */
const depth = 6;
const mostEntries = 3_000;
const mostPackages = 50;

/** Names and manifests of a project, as they are now. Links are not followed, and no program of the project is started. */
export function lookAtProject(dir: string): ProjectFiles {
  // The root counts in full: what sorts last there may say how everything is built.
  const root = targetTree(dir, 1, mostEntries).entries;
  const { entries } = targetTree(dir, depth, mostEntries);
  const known = new Set(entries);
  const all = [...entries, ...root.filter((path) => !known.has(path))].toSorted();
  const packages = all.filter((path) => path.endsWith('/package.json')).slice(0, mostPackages);
  const texts = [...manifestNames.filter((name) => all.includes(name)), ...packages].flatMap((path) => {
    const text = readText(join(dir, path), { maxBytes: maxRead, links: 'refuse' });
    return text.ok ? [[path, text.value] as const] : [];
  });
  return { entries: all, texts: Object.fromEntries(texts) };
}

/** As the folder looks: a repository that holds documents alone is a new project. */
export function lookForType(dir: string): ProjectType {
  return hasSources(lookAtProject(dir).entries) ? 'existing' : 'new';
}
