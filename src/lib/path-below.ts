import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { errorCode } from './error-code.ts';
import { err, ok, type Result } from './result.ts';

/** Does the path lead to the folder or below it? Both as they really are, links followed. */
export function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith('../');
}

/**
 * Where a path below a directory really leads, links followed; refused when that is outside. The resolved path is the
 * one to use: checking one path and opening another is how such checks are got round.
 */
export function realPathBelow(root: string, path: string): Result<string, string> {
  const outside = err(`${JSON.stringify(path)} leads outside ${root}`);
  if (path.includes('\0') || !isWithin(root, resolve(root, path))) return outside;
  try {
    const real = realpathSync(resolve(root, path));
    return isWithin(realpathSync(root), real) ? ok(real) : outside;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return err(`${path} does not exist`);
    return err(
      code === 'ELOOP' ? `${path} is a link that leads in a circle` : `${path} cannot be read (${code})`,
    );
  }
}
