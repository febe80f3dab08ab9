import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { err, ok, type Result } from '../../lib/result.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import { inRealFolder } from '../../workspace/trust-root.ts';
import { namedFiles } from '../config/load-config.ts';
import { loadFlow } from '../flow-file/load-flow.ts';
import { findProject } from '../project.ts';
import { refusal, type Refusal } from '../refusal.ts';
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

/** Refuses a file that nothing would ever use: it is no flow, and the repository brings it for no reader. */
export function checkTrustable(
  file: { readonly path: string; readonly name: string },
  folder: string,
  env: Variables,
): Result<null, Refusal> {
  const path = relative(rootFor(folder).checkout, inRealFolder(file.path));
  if (describeTrust(folder, env).surfaces.some((surface) => surface.path === path)) return ok(null);
  const flow = loadFlow(file.path);
  if (flow.ok) return ok(null);
  const message = `${file.name} is not a flow: only a repository, or the file of a flow in it, can be trusted`;
  const refused = refusal('USAGE', message, 'see what the repository brings: tutti trust --show');
  // Other files were never meant to be a flow, so what they lack as one helps no person.
  if (!/\.(?:ya?ml|json)$/.test(file.path)) return err(refused);
  return err({ ...refused, detail: flow.error.map(problemSentence).join('\n') });
}

/** What does not count yet, because no person has trusted it as it is now. */
export function untrustedSurfaces(folder: string, env: Variables): readonly DescribedSurface[] {
  return describeTrust(folder, env).surfaces.filter(({ change }) => change !== 'same');
}
