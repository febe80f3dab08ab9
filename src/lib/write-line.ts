import { writeSync } from 'node:fs';

/** At once and whole: a log must not lose its end when the process that writes it is killed. */
export function writeLine(line: string, descriptor = 1): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}
