import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { err, ok, type Result } from '../lib/result.ts';
import { exampleFiles } from './init-files.ts';
import { refusal, type Refusal } from './refusal.ts';

export interface Initialised {
  readonly made: readonly string[];
  /** Files that were there already, and are as they were. */
  readonly kept: readonly string[];
}

/** Writes what a first run needs. Never replaces anything. */
export function initProject(folder: string): Result<Initialised, Refusal> {
  const made: string[] = [];
  const kept: string[] = [];
  for (const [name, content] of exampleFiles) {
    try {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content, { flag: 'wx' });
      made.push(name);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      if (code !== 'EEXIST' || isBlocked(error)) {
        const message = `cannot write ${name} in ${folder} (${code})`;
        return err(refusal('UNAVAILABLE', message, `look at the folder: ls -la ${folder}`));
      }
      kept.push(name);
    }
  }
  return ok({ made, kept });
}

/** A file where a folder should be is also "there already", but nothing can be put into it. */
function isBlocked(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'mkdir';
}
