import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { digest, digestText } from '../../../lib/digest.ts';
import { isMachineTrouble } from '../../../lib/machine-trouble.ts';

/** Digest of what files hold, in whatever order they are named; a file that is missing is part of it. */
export function contentsOf(dir: string, paths: readonly string[]): string {
  return digest(paths.toSorted().map((path) => [path, contentOf(join(dir, path))]));
}

/** Those of the files that no longer hold what they held when this was called. */
export function watchContents(dir: string, paths: readonly string[]): () => readonly string[] {
  const before = new Map(paths.map((path) => [path, contentOf(join(dir, path))]));
  return () => paths.filter((path) => contentOf(join(dir, path)) !== before.get(path));
}

function contentOf(path: string): string | null {
  try {
    const facts = lstatSync(path);
    if (facts.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
    return facts.isFile() ? `${facts.mode & 0o100} ${digestText(readFileSync(path))}` : null;
  } catch (error) {
    if (isMachineTrouble(error)) throw error;
    return null;
  }
}
