import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { err, ok, type Result } from '../../lib/result.ts';

/** What `readText` says about a file that is not there. */
export const absent = 'does not exist';

/** Text that a person wrote, or the end of a sentence that begins with the file's name. Links are theirs to make. */
export function readText(path: string, maxBytes: number): Result<string, string> {
  if (path.includes('\0')) return err('has a name that no file can have');
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) return err(facts.isDirectory() ? 'is a directory' : 'is not a file');
    if (facts.size > maxBytes) return err(`is larger than ${maxBytes} bytes`);
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(descriptor)));
  } catch (error) {
    return err(inWords(error));
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function inWords(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return absent;
    case 'EACCES':
    case 'EPERM':
      return 'may not be read';
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return 'is not UTF-8 text';
    default:
      return `cannot be read (${code})`;
  }
}
