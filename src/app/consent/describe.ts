import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { namedFiles } from '../config/load-config.ts';
import { inRealFolder } from '../../workspace/trust-root.ts';
import { findProject } from '../project.ts';
import type { Variables } from '../state-folder.ts';
import { projectTrust } from '../trust/project-trust.ts';
import { rootFor } from '../trust/root.ts';
import { type Besides, lookAtTrust, type ShownSurface, type Trust } from '../trust/trust.ts';
import { type Member, membersOf } from './members.ts';

/** Something that a repository brings, with what it would do. */
export interface DescribedSurface extends ShownSurface {
  /** Every setting or command in it; empty where the name says enough, or the file cannot be read. */
  readonly members: readonly Member[];
  /** A driver takes settings, servers or turns from it, because a configuration says so. */
  readonly isForDriver: boolean;
}

export interface DescribedTrust extends Trust {
  readonly surfaces: readonly DescribedSurface[];
  /** Those that are brought by a name somewhere: by the person, or in a configuration. */
  readonly files: readonly string[];
}

/** What was shown to a person, and of what. */
export interface Seen extends Required<Besides> {
  readonly folder: string;
  readonly trust: DescribedTrust;
}

/** What a repository brings, as a person must see it to decide. */
export function describeTrust(folder: string, env: Variables, besides: Besides = {}): DescribedTrust {
  const { checkout } = rootFor(folder);
  const project = findProject(folder);
  const trust = projectTrust(project, env);
  const taken = namedFiles({ projectDir: project, env, home: env['HOME'] ?? homedir(), trust });
  const files = [...new Set([...(besides.files ?? []), ...taken])];
  const forDrivers = new Set(taken.map((file) => relative(checkout, inRealFolder(file))));
  const seen = lookAtTrust(folder, env, { ...besides, files });
  const surfaces = seen.surfaces.map((surface) => ({
    ...surface,
    members: surface.cli === 'tutti' ? membersOf(join(checkout, surface.path)) : [],
    isForDriver: forDrivers.has(surface.path),
  }));
  return { ...seen, surfaces, files };
}

/** What does not count yet, because no person has trusted it as it is now. */
export function untrustedSurfaces(folder: string, env: Variables): readonly DescribedSurface[] {
  return describeTrust(folder, env).surfaces.filter(({ change }) => change !== 'same');
}
