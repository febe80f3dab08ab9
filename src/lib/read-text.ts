import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { errorCode } from './error-code.ts';
import { isMachineTrouble, orTrouble } from './machine-trouble.ts';
import { isWithin } from './path-below.ts';
import { err, ok, type Result } from './result.ts';

export interface ReadTextOptions {
  readonly maxBytes: number;
  /** A person may link what they like; a file that an agent wrote could be a link to a secret. */
  readonly links: 'follow' | 'refuse';
  /** Real paths: the file must lie in one of these folders, wherever links lead. Absent: anywhere. */
  readonly within?: readonly string[];
}

export interface Unreadable {
  readonly why: 'absent' | 'unusable';
  /** The end of a sentence that begins with the file's name. */
  readonly message: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Text of a regular file. What is huge, a pipe that never ends, a directory or no text is a sentence and is not read.
 * Throws only what is the machine's trouble and not the file's: no descriptors left is no reason to call a result bad.
 */
export function readText(
  path: string,
  { maxBytes, links, within }: ReadTextOptions,
): Result<string, Unreadable> {
  if (path.includes('\0')) return unusable('has a name that no file can have');
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, O_RDONLY | O_NONBLOCK | (links === 'refuse' ? O_NOFOLLOW : 0));
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) return unusable(facts.isDirectory() ? 'is a directory' : 'is not a file');
    if (within !== undefined && !liesIn(descriptor, within))
      return unusable("is none of this session's files");
    const bytes = readUpTo(descriptor, maxBytes + 1, facts.size);
    if (bytes.length > maxBytes) return unusable(`is larger than ${maxBytes} bytes`);
    return ok(utf8.decode(bytes));
  } catch (error) {
    if (isMachineTrouble(error)) throw orTrouble(error, path);
    return err(inWords(error, links));
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** Asked of what was opened, because a path may lead elsewhere a moment later. */
function liesIn(descriptor: number, folders: readonly string[]): boolean {
  const real = readlinkSync(`/proc/self/fd/${descriptor}`);
  return folders.some((folder) => isWithin(folder, real));
}

/** Its size is only a hint: somebody may still be writing. */
function readUpTo(descriptor: number, limit: number, size: number): Buffer {
  // Out of a pool where it is small: thousands of files are read in a row. What was not read into is cut off below.
  const buffer = Buffer.allocUnsafe(Math.min(limit, size + 1));
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}

const inWordsByCode: Readonly<Record<string, Unreadable>> = {
  ENOENT: { why: 'absent', message: 'does not exist' },
  ENOTDIR: { why: 'absent', message: 'does not exist' },
  EACCES: { why: 'unusable', message: 'may not be read' },
  EPERM: { why: 'unusable', message: 'may not be read' },
  ERR_ENCODING_INVALID_ENCODED_DATA: { why: 'unusable', message: 'is not UTF-8 text' },
};

function inWords(error: unknown, links: ReadTextOptions['links']): Unreadable {
  const code = errorCode(error);
  if (code === 'ELOOP') {
    return {
      why: 'unusable',
      message: `is a symbolic link${links === 'follow' ? ' that leads nowhere' : ''}`,
    };
  }
  return inWordsByCode[code] ?? { why: 'unusable', message: `cannot be read (${code})` };
}

function unusable(message: string): { readonly ok: false; readonly error: Unreadable } {
  return err({ why: 'unusable', message });
}
