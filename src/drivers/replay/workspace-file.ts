import { closeSync, constants, mkdirSync, openSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isWithin } from '../../lib/path-below.ts';
import { err, ok, type Result } from '../../lib/result.ts';

/** Writes a file of a cassette below the workspace, and nowhere else: not by `..`, not through a link. */
export function writeInWorkspace(
  workspace: string,
  path: string,
  content: string,
  how: 'replace' | 'append',
): Result<null, string> {
  const refused = err(`${JSON.stringify(path)} leads outside the workspace`);
  try {
    const root = realpathSync(workspace);
    const target = resolve(root, path);
    // Before any folder is made: making one outside would be a write too.
    if (!isWithin(root, nearestReal(dirname(target)))) return refused;
    mkdirSync(dirname(target), { recursive: true });
    const folder = realpathSync(dirname(target));
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;
    const mode = how === 'append' ? O_APPEND : O_TRUNC;
    const descriptor = openSync(
      join(folder, basename(target)),
      O_WRONLY | O_CREAT | O_NOFOLLOW | mode,
      0o666,
    );
    try {
      writeFileSync(descriptor, content);
    } finally {
      closeSync(descriptor);
    }
    return ok(null);
  } catch (error) {
    return err(`${JSON.stringify(path)} cannot be written: ${String(error)}`);
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
