import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Complete lines at the end of a file that others write; none for what is no file. */
export function lastLines(path: string, maxBytes: number): readonly string[] {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return [];
  }
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) return [];
    const from = Math.max(0, facts.size - maxBytes);
    const bytes = Buffer.alloc(facts.size - from);
    const length = readSync(descriptor, bytes, 0, bytes.length, from);
    const lines = bytes.subarray(0, length).toString('utf8').split('\n');
    // The first of a part is the end of a line.
    return from === 0 ? lines : lines.slice(1);
  } finally {
    closeSync(descriptor);
  }
}
