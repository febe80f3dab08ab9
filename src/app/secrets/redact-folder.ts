import {
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { lineRedactor } from '../../lib/redact-lines.ts';
import type { Redactor } from '../../lib/redact.ts';

const chunkBytes = 256 * 1024;
/** A line without end is worked on in pieces. */
const longestLine = 4 * 1024 * 1024;
/** A piece keeps this much of its end back, so that no secret is cut in two. */
const overlap = 64 * 1024;

/** Takes the secrets out of all files of a folder that nobody writes to any more. Files without any are not touched. */
export function redactFolder(folder: string, redactor: Redactor): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) redactFolder(path, redactor);
    else if (entry.isFile()) redactFile(path, redactor);
  }
}

/** Complete or as it was: the new content takes the place of the old at once, with its mode and time. */
function redactFile(path: string, redactor: Redactor): void {
  if (!holdsSecret(path, redactor)) return;
  const unfinished = join(dirname(path), `.${basename(path)}.tmp.${process.pid}`);
  const source = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { mode, atime, mtime } = fstatSync(source);
    const target = openSync(unfinished, 'w', mode & 0o777);
    try {
      for (const { clean } of pieces(source, redactor)) writeFileSync(target, clean, 'latin1');
      futimesSync(target, atime, mtime);
    } finally {
      closeSync(target);
    }
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  } finally {
    closeSync(source);
  }
}

function holdsSecret(path: string, redactor: Redactor): boolean {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    for (const { changed } of pieces(descriptor, redactor)) if (changed) return true;
    return false;
  } finally {
    closeSync(descriptor);
  }
}

interface Piece {
  readonly clean: string;
  readonly changed: boolean;
}

/** One character for each byte, so that what is no text stays as it is. */
function* pieces(descriptor: number, redactor: Redactor): Generator<Piece> {
  const redacted = lineRedactor(redactor);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let rest = '';
  for (let at = 0, read = -1; read !== 0; at += read) {
    read = readSync(descriptor, buffer, 0, chunkBytes, at);
    const lines = (rest + buffer.toString('latin1', 0, read)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const clean = redacted(line);
      yield { clean: `${clean}\n`, changed: clean !== line };
    }
    if (rest.length > longestLine) {
      const clean = redactor.text(rest);
      yield { clean: clean.slice(0, -overlap), changed: clean !== rest };
      rest = clean.slice(-overlap);
    }
  }
  const clean = redacted(rest);
  yield { clean, changed: clean !== rest };
}
