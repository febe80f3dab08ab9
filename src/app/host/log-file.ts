import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { isMachineTrouble } from '../../lib/machine-trouble.ts';
import type { Redactor } from '../../lib/redact.ts';
import { terminalText } from '../../lib/terminal-text.ts';

const chunkBytes = 64 * 1024;
/** A line longer than this is cut: no agent event is, and a flood must not fill our memory. */
const maxLine = 4 * 1024 * 1024;
const tailCharacters = 4_000;
/** More than is kept, so that a secret is whole when it is looked for; a private key is the longest. */
const tailBytes = tailCharacters + 16 * 1024;

/** The lines of a log, however large it is; a torn last line is a line. A missing file has none. */
export function* logLines(path: string): Generator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for (const chunk of chunks(path)) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = (lines.pop() ?? '').slice(0, maxLine);
    yield* lines;
  }
  if (rest !== '') yield rest;
}

export interface LogSummary {
  readonly tail: string;
  readonly lastLine: string;
  readonly digest: string;
}

/** What a finished command's record keeps of its output; the whole stays in the file. */
export function summarizeLog(path: string, redactor: Redactor): LogSummary {
  const hash = createHash('sha256');
  let tail = Buffer.alloc(0);
  for (const chunk of chunks(path)) {
    hash.update(chunk);
    tail = Buffer.concat([tail, chunk]).subarray(-tailBytes);
  }
  return {
    ...summarizeText(new TextDecoder().decode(tail), redactor),
    digest: hash.digest('hex').slice(0, 16),
  };
}

/** The end of an output, without secrets and without anything that a terminal would obey. */
export function summarizeText(output: string, redactor: Redactor): Pick<LogSummary, 'tail' | 'lastLine'> {
  const tail = terminalText(redactor.text(output).slice(-tailCharacters));
  return { tail, lastLine: tail.trimEnd().split('\n').at(-1) ?? '' };
}

function* chunks(path: string): Generator<Buffer> {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isMachineTrouble(error)) throw error;
    return;
  }
  try {
    // An agent may have put anything in its place: what is no file has no lines.
    if (!fstatSync(descriptor).isFile()) return;
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      const read = readSync(descriptor, buffer);
      if (read === 0) return;
      yield Buffer.from(buffer.subarray(0, read));
    }
  } finally {
    closeSync(descriptor);
  }
}
