import { closeSync, constants, mkdirSync, openSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { errorCode } from '../../lib/error-code.ts';
import { isWithin, realPathBelow } from '../../lib/path-below.ts';
import { readText } from '../../lib/read-text.ts';
import { err, ok, type Result } from '../../lib/result.ts';

const maxBytes = 16 * 1024 * 1024;

/** The text of a file in one of the folders, links followed; `line` is counted from 1. */
export function readFileIn(
  folders: readonly string[],
  path: string,
  { line, limit }: { readonly line: number | null; readonly limit: number | null },
): Result<string, string> {
  if (!isAbsolute(path)) return err(`${JSON.stringify(path)} is not an absolute path`);
  let problem = outside(path);
  for (const folder of folders) {
    const real = realPathBelow(folder, path);
    if (real.ok) {
      const text = readText(real.value, { maxBytes, links: 'refuse' });
      return text.ok ? ok(partOf(text.value, line, limit)) : err(`${path} ${text.error.message}`);
    }
    // That it is not there is said only where it might be.
    if (isWithin(folder, path)) problem = real.error;
  }
  return err(problem);
}

function partOf(text: string, line: number | null, limit: number | null): string {
  if (line === null && limit === null) return text;
  const from = Math.max((line ?? 1) - 1, 0);
  return text
    .split('\n')
    .slice(from, limit === null ? undefined : from + limit)
    .join('\n');
}

/** Writes a file in one of the folders and nowhere else: not by `..`, not through a link. Folders are made. */
export function writeFileIn(folders: readonly string[], path: string, content: string): Result<null, string> {
  if (!isAbsolute(path) || path.includes('\0')) return err(`${JSON.stringify(path)} is not an absolute path`);
  try {
    const roots = folders.map((folder) => realpathSync(folder));
    const isInside = (folder: string): boolean => roots.some((root) => isWithin(root, folder));
    // Before any folder is made: making one outside would be a write too.
    if (!isInside(nearestReal(dirname(path)))) return err(outside(path));
    mkdirSync(dirname(path), { recursive: true });
    const folder = realpathSync(dirname(path));
    if (!isInside(folder)) return err(outside(path));
    const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;
    const flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_TRUNC;
    const descriptor = openSync(join(folder, basename(path)), flags, 0o666);
    try {
      writeFileSync(descriptor, content);
    } finally {
      closeSync(descriptor);
    }
    return ok(null);
  } catch (error) {
    return err(`${path} cannot be written (${errorCode(error)})`);
  }
}

/** Where the deepest part of the path that exists really is. */
function nearestReal(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return nearestReal(dirname(folder));
  }
}

function outside(path: string): string {
  return `${JSON.stringify(path)} leads outside the folders of this session`;
}
