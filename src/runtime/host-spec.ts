import { join } from 'node:path';
import { replaceFile } from '../lib/atomic-file.ts';
import { isObject } from '../lib/json.ts';
import { readJson } from './read-json.ts';
import type { ProcessSpec } from './process-spec.ts';

/** What the session host must know. Not the environment: that it inherits, so secrets are in no file. */
export type HostSpec = Pick<ProcessSpec, 'marker' | 'argv' | 'cwd' | 'stdinFile' | 'logFile' | 'timeoutMs'>;

const file = 'spec.json';
const maxBytes = 4 * 1024 * 1024;

export function writeHostSpec(spec: ProcessSpec): void {
  const { marker, argv, cwd, stdinFile, logFile, timeoutMs } = spec;
  const content: HostSpec = { marker, argv, cwd, stdinFile, logFile, timeoutMs };
  replaceFile(join(spec.dir, file), JSON.stringify(content));
}

/** Null for anything that `writeHostSpec` did not write. */
export function readHostSpec(dir: string): HostSpec | null {
  const value = readJson(join(dir, file), maxBytes);
  return isHostSpec(value) ? value : null;
}

function isHostSpec(value: unknown): value is HostSpec {
  if (!isObject(value)) return false;
  const { marker, argv, cwd, stdinFile, logFile, timeoutMs } = value;
  return (
    [marker, cwd, logFile].every((text) => typeof text === 'string') &&
    (stdinFile === null || typeof stdinFile === 'string') &&
    (timeoutMs === null || typeof timeoutMs === 'number') &&
    Array.isArray(argv) &&
    argv.length > 0 &&
    argv.every((word) => typeof word === 'string')
  );
}
