import { dirname, join, relative } from 'node:path';
import { surfacePlaces } from '../../drivers/cli-facts.ts';
import { makePrivateFolder } from '../../lib/atomic-file.ts';
import { contentAddress } from '../../lib/digest.ts';
import { withLock } from '../../lib/file-lock.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Surface } from '../../model/trust.ts';
import { inRealFolder, realOf } from '../../workspace/trust-root.ts';
import { projectSurfaces, surfaceDigest, surfacesAround } from '../../workspace/trust-surfaces.ts';
import type { TrustRecord, TrustRecords } from '../../model/trust-file.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Variables } from '../state-folder.ts';
import { isTrusted } from './project-trust.ts';
import { refuseStateFolder } from './refuse-unwritable.ts';
import { projectInRepository, rootFor } from './root.ts';
import { emptyRecord, readTrust, trustFilePath, writeTrust } from './trust-file.ts';

/** Compared with what was there when the repository was trusted. */
type Change = 'same' | 'changed' | 'new';

export interface ShownSurface extends Surface {
  /** Null where no person has trusted it: there is nothing that it could have changed since. */
  readonly change: Change | null;
}

export interface ShownCommand {
  readonly command: string;
  readonly change: 'same' | 'new' | null;
}

export interface Trust {
  /** Its main checkout, by which trust is recorded. */
  readonly repository: string;
  /** The checkout that was looked at: of a worktree, its own. Paths of surfaces begin there. */
  readonly checkout: string;
  readonly trustedAt: string | null;
  /** What it brings for Tutti itself, then what it brings for agent CLIs. */
  readonly surfaces: readonly ShownSurface[];
  readonly commands: readonly ShownCommand[];
  /** A name for all of it as it is now. */
  readonly state: string;
  /** Why the record of trusted repositories could not be used. */
  readonly problem: string | null;
}

/** What is looked at besides what a repository brings by itself. */
export interface Besides {
  /** Files that the person named, such as a flow. */
  readonly files?: readonly string[];
  /** Commands that files of the repository suggest. */
  readonly commands?: readonly string[];
}

/** What a repository brings, and what of it is trusted as it is now. */
export function lookAtTrust(
  folder: string,
  env: Variables,
  { files = [], commands = [] }: Besides = {},
): Trust {
  const { root, checkout } = rootFor(folder);
  const records = readTrust(env);
  const record = records.ok ? records.value.get(root) : undefined;
  const surfaces = listSurfaces(folder, files);
  const digests = surfaces.map((surface) => `${surface.path}\n${surfaceDigest(checkout, surface)}`);
  return {
    repository: root,
    checkout,
    trustedAt: record?.at ?? null,
    state: contentAddress([...digests, ...commands].join('\n')),
    surfaces: surfaces.map((surface) => ({
      ...surface,
      change: changeOf(checkout, surface, record ?? emptyRecord),
    })),
    commands: commands.map((command) => ({
      command,
      change: record?.commands.includes(command) === true ? 'same' : isNew(record),
    })),
    problem: records.ok ? null : records.error,
  };
}

/** Whether there is nothing left to ask about. */
export function isAllTrusted({ surfaces, commands }: Pick<Trust, 'surfaces' | 'commands'>): boolean {
  return [...surfaces, ...commands].every(({ change }) => change === 'same');
}

/** What a repository brings, with the files that are named somewhere. */
export function listSurfaces(folder: string, files: readonly string[]): readonly Surface[] {
  const { checkout } = rootFor(folder);
  const own = projectSurfaces(projectInRepository(folder), checkout);
  const around = surfacesAround(folder, checkout, surfacePlaces);
  const acting = around.filter(({ power }) => power === 'acts');
  const known = new Set([...own, ...acting].map(({ path }) => path));
  const named = [...new Set(files.map((file) => relative(checkout, inRealFolder(file))))]
    .filter((path) => !known.has(path))
    .map((path) => ({ cli: 'tutti', power: 'acts', path }) as const);
  return [...own, ...named, ...around];
}

function changeOf(checkout: string, { path }: Surface, record: TrustRecord): Change | null {
  if (isTrusted(checkout, path, record)) return 'same';
  return record.surfaces.has(path) ? 'changed' : isNew(record);
}

/** A record is also kept of what Tutti wrote for a person, and of what a person works without. */
function isNew(record: TrustRecord | undefined): 'new' | null {
  return (record?.at ?? null) === null ? null : 'new';
}

/** Records that a person trusts the repository as it is now. */
export function trustRepository(
  folder: string,
  env: Variables,
  at: Date,
  { files = [], commands = [] }: Besides = {},
): Result<Trust, Refusal> {
  const { root, checkout } = rootFor(folder);
  const surfaces = listSurfaces(folder, files);
  return rewrite(folder, env, { files, commands }, (records) => {
    const before = records.get(root) ?? emptyRecord;
    records.set(root, {
      at: at.toISOString(),
      surfaces: withDigests(before, checkout, surfaces),
      commands: [...new Set([...before.commands, ...commands])],
      declined: null,
    });
  });
}

/** Records files that Tutti itself wrote at a person's command: writing them was the person's word for them. */
export function trustWritten(
  folder: string,
  env: Variables,
  names: readonly string[],
): Result<Trust, Refusal> {
  const { root, checkout } = rootFor(folder, folder);
  const real = realOf(folder) ?? folder;
  const written = names.map((name) => ({ path: relative(checkout, join(real, name)) }));
  return rewrite(folder, env, {}, (records) => {
    const before = records.get(root) ?? emptyRecord;
    records.set(root, { ...before, surfaces: withDigests(before, checkout, written) });
  });
}

/** Records that a person works without what a repository brings now; `state` names it. */
export function declineRepository(folder: string, env: Variables, state: string): Result<Trust, Refusal> {
  const { root } = rootFor(folder);
  return rewrite(folder, env, {}, (records) => {
    records.set(root, { ...(records.get(root) ?? emptyRecord), declined: state });
  });
}

export function isDeclined(folder: string, env: Variables, state: string): boolean {
  const records = readTrust(env);
  return records.ok && records.value.get(rootFor(folder).root)?.declined === state;
}

/** States of one path that stay trusted, such as those of several branches. */
const maxStates = 20;

function withDigests(
  { surfaces }: TrustRecord,
  checkout: string,
  now: readonly Pick<Surface, 'path'>[],
): ReadonlyMap<string, readonly string[]> {
  const digests = now.map(({ path }): [string, readonly string[]] => {
    const digest = surfaceDigest(checkout, { path });
    const others = (surfaces.get(path) ?? []).filter((one) => one !== digest);
    return [path, [digest, ...others].slice(0, maxStates)];
  });
  return new Map([...surfaces, ...digests]);
}

export function revokeTrust(folder: string, env: Variables): Result<Trust, Refusal> {
  const { root } = rootFor(folder);
  return rewrite(folder, env, {}, (records) => records.delete(root));
}

/** A file that is not ours to understand is not ours to replace either. */
function rewrite(
  folder: string,
  env: Variables,
  besides: Besides,
  apply: (records: Map<string, TrustRecord>) => unknown,
): Result<Trust, Refusal> {
  const path = trustFilePath(env);
  const unwritable = refuseStateFolder(env);
  if (unwritable !== null) return err(unwritable);
  try {
    makePrivateFolder(dirname(path));
    // Two commands that change it at the same moment would each write what the other has not seen.
    const problem = withLock(`${path}.lock`, () => {
      const before: Result<TrustRecords, string> = readTrust(env);
      if (!before.ok) return before.error;
      const records = new Map(before.value);
      apply(records);
      writeTrust(env, records);
      return null;
    });
    if (problem !== null)
      return err(refusal('UNAVAILABLE', problem, `look at it, then remove it: rm ${path}`));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return err(refusal('UNAVAILABLE', `cannot write ${path}: ${why}`, `check its owner: ls -la ${path}`));
  }
  return ok(lookAtTrust(folder, env, besides));
}
