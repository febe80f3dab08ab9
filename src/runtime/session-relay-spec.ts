import { join } from 'node:path';
import { replaceFile } from '../lib/atomic-file.ts';
import { isObject } from '../lib/json.ts';
import { readJson } from './read-json.ts';
import type { LimitPlan } from './limits/plan.ts';
import type { ProcessSpec } from './process-spec.ts';

type FromSpec = 'marker' | 'argv' | 'cwd' | 'stdinFile' | 'logFile' | 'timeoutMs';
type FromPlan = 'groups' | 'fileBytes' | 'disk' | 'stallMs' | 'lacking';

/** What the session relay must know. Not the environment: that it inherits, so secrets are in no file. */
export interface RelaySpec extends Pick<ProcessSpec, FromSpec> {
  /** `PATH` of the agent. */
  readonly searchPath: string;
  readonly limits: Pick<LimitPlan, FromPlan>;
}

const file = 'spec.json';
const maxBytes = 4 * 1024 * 1024;

export function writeRelaySpec(spec: ProcessSpec, plan: LimitPlan): void {
  const { marker, argv, cwd, stdinFile, logFile, timeoutMs } = spec;
  const { groups, fileBytes, disk, stallMs, lacking } = plan;
  const limits = { groups, fileBytes, disk, stallMs, lacking };
  const searchPath = spec.env['PATH'] ?? '';
  const content: RelaySpec = { marker, argv, cwd, stdinFile, logFile, timeoutMs, searchPath, limits };
  replaceFile(join(spec.dir, file), JSON.stringify(content));
}

/** Null for anything that `writeRelaySpec` did not write. */
export function readRelaySpec(dir: string): RelaySpec | null {
  const value = readJson(join(dir, file), maxBytes);
  return isHostSpec(value) ? value : null;
}

function isHostSpec(value: unknown): value is RelaySpec {
  if (!isObject(value)) return false;
  const { marker, argv, cwd, stdinFile, logFile, timeoutMs, searchPath, limits } = value;
  return (
    isLimits(limits) &&
    [marker, cwd, logFile, searchPath].every((text) => typeof text === 'string') &&
    (stdinFile === null || typeof stdinFile === 'string') &&
    (timeoutMs === null || typeof timeoutMs === 'number') &&
    Array.isArray(argv) &&
    argv.length > 0 &&
    argv.every((word) => typeof word === 'string')
  );
}

function isLimits(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { groups, fileBytes, disk, stallMs, lacking } = value;
  return (
    Array.isArray(groups) &&
    groups.every((group) => typeof group === 'string') &&
    [fileBytes, stallMs].every((amount) => amount === null || typeof amount === 'number') &&
    (lacking === null || typeof lacking === 'string') &&
    (disk === null || isQuota(disk))
  );
}

function isQuota(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { warnBytes, failBytes, warning, failure } = value;
  return (
    [warnBytes, failBytes].every((amount) => typeof amount === 'number') &&
    [warning, failure].every((text) => typeof text === 'string')
  );
}
