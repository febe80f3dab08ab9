import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { err, ok, type Result } from '../lib/result.ts';

/**
 * Where a path below a directory really leads, links followed; refused when that is outside. The resolved path is the
 * one to use: checking one path and opening another is how such checks are got round.
 */
export function realPathBelow(root: string, path: string): Result<string, string> {
  const outside = err(`${JSON.stringify(path)} leads outside ${root}`);
  if (path.includes('\0')) return outside;
  const way = relative(root, resolve(root, path));
  if (isOutside(way)) return outside;
  try {
    const real = realpathSync(resolve(root, path));
    return isOutside(relative(realpathSync(root), real)) ? outside : ok(real);
  } catch (error) {
    return err(`${path} ${inWords(error)}`);
  }
}

/** Bytes of a regular file below a directory; a pipe or an endless device is never read. */
function readFileBelow(root: string, path: string, maxBytes: number): Result<Buffer, string> {
  const real = realPathBelow(root, path);
  if (!real.ok) return real;
  let descriptor: number | null = null;
  try {
    descriptor = openSync(real.value, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) return err(`${path} is not a file`);
    if (facts.size > maxBytes) return err(`${path} is larger than ${maxBytes} bytes`);
    return ok(readFileSync(descriptor));
  } catch (error) {
    return err(`${path} ${inWords(error)}`);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** The same as text. */
export function readTextBelow(root: string, path: string, maxBytes: number): Result<string, string> {
  const bytes = readFileBelow(root, path, maxBytes);
  if (!bytes.ok) return bytes;
  try {
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.value));
  } catch {
    return err(`${path} is not UTF-8 text`);
  }
}

function isOutside(way: string): boolean {
  return isAbsolute(way) || way === '..' || way.startsWith('../');
}

function inWords(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read';
  return code === 'ELOOP' ? 'is a link that leads in a circle' : `cannot be read (${code})`;
}
