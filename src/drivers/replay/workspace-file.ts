import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode } from '../../lib/error-code.ts';
import { isWithin } from '../../lib/path-below.ts';
import { err, ok, type Result } from '../../lib/result.ts';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } = constants;

/** Writes a file of a cassette below the workspace, and nowhere else: not by `..`, not through a link. */
export function writeInWorkspace(
  workspace: string,
  path: string,
  content: string | Uint8Array,
  how: 'replace' | 'append',
): Result<null, string> {
  return below(workspace, path, 'written', (target) => {
    mkdirSync(dirname(target), { recursive: true });
    const folder = realpathSync(dirname(target));
    const mode = how === 'append' ? O_APPEND : O_TRUNC;
    const file = join(folder, basename(target));
    withFile(file, O_WRONLY | O_CREAT | O_NOFOLLOW | mode, (descriptor) => {
      writeFileSync(descriptor, content);
    });
  });
}

/** Removes a file, and the folders that hold nothing without it. One that is not there is removed already. */
export function deleteInWorkspace(workspace: string, path: string): Result<null, string> {
  return below(workspace, path, 'removed', (target, root) => {
    try {
      unlinkSync(target);
      for (let folder = dirname(target); folder !== root; folder = dirname(folder)) rmdirSync(folder);
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR', 'ENOTEMPTY'].includes(errorCode(error))) throw error;
    }
  });
}

export function makeExecutable(workspace: string, path: string): Result<null, string> {
  return below(workspace, path, 'made executable', (target) => {
    withFile(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, (descriptor) => {
      fchmodSync(descriptor, (fstatSync(descriptor).mode & 0o777) | 0o111);
    });
  });
}

function below(
  workspace: string,
  path: string,
  what: string,
  act: (target: string, root: string) => void,
): Result<null, string> {
  try {
    const root = realpathSync(workspace);
    const target = resolve(root, path);
    // Before any folder is made: making one outside would be a write too.
    const folder = nearestReal(dirname(target));
    if (target === root || !isWithin(root, folder)) {
      return err(`${JSON.stringify(path)} leads outside the workspace`);
    }
    act(target, root);
    return ok(null);
  } catch (error) {
    return err(`${JSON.stringify(path)} cannot be ${what}: ${String(error)}`);
  }
}

function withFile(path: string, flags: number, act: (descriptor: number) => void): void {
  const descriptor = openSync(path, flags, 0o666);
  try {
    act(descriptor);
  } finally {
    closeSync(descriptor);
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
