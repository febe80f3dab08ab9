import { err, ok, type Result } from '../../lib/result.ts';
import type { Surface } from '../../model/trust.ts';
import { surfaceDigest, surfacesAround } from '../../workspace/trust-surfaces.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Variables } from '../state-folder.ts';
import { rootFor } from './root.ts';
import { readTrust, trustFilePath, type TrustRecord, type TrustRecords, writeTrust } from './trust-file.ts';

/** Compared with what was there when the repository was trusted. */
type Change = 'same' | 'changed' | 'new';

export interface ShownSurface extends Surface {
  /** Null where the repository is not trusted. */
  readonly change: Change | null;
}

export interface Trust {
  readonly repository: string;
  readonly trustedAt: string | null;
  readonly surfaces: readonly ShownSurface[];
  /** Why the record of trusted repositories could not be used. */
  readonly problem: string | null;
}

/**
 * What a repository brings and whether it is trusted. A change does not end the trust, as in editors: whoever trusts a
 * repository trusts those who commit to it, and every other branch would ask again. But it is shown.
 */
export function lookAtTrust(folder: string, env: Variables): Trust {
  const { root, checkout } = rootFor(folder);
  const records = readTrust(env);
  const record = records.ok ? records.value.get(root) : undefined;
  return {
    repository: root,
    trustedAt: record?.at ?? null,
    surfaces: surfacesAround(folder, checkout).map((surface) => ({
      ...surface,
      change: record === undefined ? null : changeOf(checkout, surface, record),
    })),
    problem: records.ok ? null : records.error,
  };
}

function changeOf(checkout: string, surface: Surface, { surfaces }: TrustRecord): Change {
  const before = surfaces.get(surface.path);
  if (before === undefined) return 'new';
  return before === surfaceDigest(checkout, surface) ? 'same' : 'changed';
}

/** Records that a person trusts the repository as it is now. */
export function trustRepository(folder: string, env: Variables, at: Date): Result<Trust, Refusal> {
  const { root, checkout } = rootFor(folder);
  const digests = surfacesAround(folder, checkout).map(
    (surface) => [surface.path, surfaceDigest(checkout, surface)] as const,
  );
  return changed(folder, env, (records) =>
    records.set(root, { at: at.toISOString(), surfaces: new Map(digests) }),
  );
}

export function revokeTrust(folder: string, env: Variables): Result<Trust, Refusal> {
  const { root } = rootFor(folder);
  return changed(folder, env, (records) => records.delete(root));
}

/** A file that is not ours to understand is not ours to replace either. */
function changed(
  folder: string,
  env: Variables,
  change: (records: Map<string, TrustRecord>) => unknown,
): Result<Trust, Refusal> {
  const path = trustFilePath(env);
  const before: Result<TrustRecords, string> = readTrust(env);
  if (!before.ok) return err(refusal('UNAVAILABLE', before.error, `look at it, then remove it: rm ${path}`));
  const records = new Map(before.value);
  change(records);
  try {
    writeTrust(env, records);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return err(refusal('UNAVAILABLE', `cannot write ${path}: ${why}`, `check its owner: ls -la ${path}`));
  }
  return ok(lookAtTrust(folder, env));
}

/** What agents may not use yet, because nobody has trusted it. */
export function untrustedSurfaces(folder: string, env: Variables): readonly Surface[] {
  const { trustedAt, surfaces } = lookAtTrust(folder, env);
  return trustedAt === null ? surfaces : [];
}
