import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { err, ok, type Result } from '../lib/result.ts';

export type Unreadable = { readonly why: 'absent' | 'unusable'; readonly message: string };

/**
 * Text from a file that an agent wrote. It may be huge, a link to a secret, a pipe that never ends or no text at all:
 * each is a sentence here, and none is read.
 */
export function readBoundedText(path: string, maxBytes: number): Result<string, Unreadable> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let descriptor: number;
  try {
    descriptor = openSync(path, flags);
  } catch (error) {
    return err(unopened(error));
  }
  try {
    if (!fstatSync(descriptor).isFile()) return unusable('it is not a regular file');
    const bytes = readUpTo(descriptor, maxBytes + 1);
    if (bytes.length > maxBytes) return unusable(`it is larger than ${maxBytes} bytes`);
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    return unusable(error instanceof TypeError ? 'it is not UTF-8 text' : String(error));
  } finally {
    closeSync(descriptor);
  }
}

function readUpTo(descriptor: number, limit: number): Buffer {
  const buffer = Buffer.alloc(limit);
  let length = 0;
  while (length < limit) {
    const read = readSync(descriptor, buffer, length, limit - length, null);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}

function unopened(error: unknown): Unreadable {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return { why: 'absent', message: 'it does not exist' };
  return { why: 'unusable', message: code === 'ELOOP' ? 'it is a symbolic link' : String(error) };
}

function unusable(message: string): { readonly ok: false; readonly error: Unreadable } {
  return err({ why: 'unusable', message });
}
