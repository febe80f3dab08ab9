import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { err, ok, type Result } from '../../lib/result.ts';
import { flowMembers, type Member } from '../../model/members.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import { type Surface, unusedSurfaces } from '../../model/trust.ts';
import { isWithin } from '../../lib/path-below.ts';
import { inRealFolder, linkOutside, realOf } from '../../workspace/trust-root.ts';
import { namedFiles } from '../config/load-config.ts';
import { projectFile } from '../config/default-settings.ts';
import { type FlowOutline, loadFlow, outlineFlow } from '../flow-file/load-flow.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Variables } from '../state-folder.ts';
import { projectTrust } from '../trust/project-trust.ts';
import { projectInRepository, rootFor } from '../trust/root.ts';
import { type Besides, listSurfaces, lookAtTrust, type ShownSurface, type Trust } from '../trust/trust.ts';
import { settingMembers } from './setting-members.ts';
import { contentMembers, linkMember } from './content-members.ts';

/** Something that a repository brings, with what it would do. */
export interface DescribedSurface extends ShownSurface {
  /** Every setting, command or prompt in it, those of agents and skills too; empty where the name says enough, or the file cannot be read. */
  readonly members: readonly Member[];
  /**
   * What names it. `driver`: a configuration, so that a driver takes settings, servers or turns from it. `flow`: a flow, as
   * the prompt of a step.
   */
  readonly namedBy: 'driver' | 'flow' | null;
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
  const project = projectInRepository(folder);
  const trust = projectTrust(project, env);
  const forDrivers = namedFiles({ projectDir: project, env, home: env['HOME'] ?? homedir(), trust });
  const named = [...(besides.files ?? []), ...forDrivers];
  const flows = outlineFlows(folder, named);
  const prompts = [...flows.values()].flatMap(({ promptFiles }) => [...promptFiles.values()]);
  const forFlows = prompts.filter((file) => existsSync(file) && trust.holds(file));
  const files = [...new Set([...named, ...forFlows])];
  const seen = lookAtTrust(folder, env, { ...besides, files });
  const pathOf = (file: string): string => relative(checkout, inRealFolder(file));
  const [driverPaths, promptPaths] = [new Set(forDrivers.map(pathOf)), new Set(forFlows.map(pathOf))];
  const surfaces = seen.surfaces.map((surface): DescribedSurface => {
    const { path } = surface;
    const namedBy = driverPaths.has(path) ? 'driver' : promptPaths.has(path) ? 'flow' : null;
    // Its text is a member of the flow.
    const members = namedBy === 'flow' ? [] : membersOf(surface, checkout, flows.get(path));
    return { ...surface, members, namedBy };
  });
  return { ...seen, surfaces, files };
}

function membersOf(surface: Surface, checkout: string, flow: FlowOutline | undefined): readonly Member[] {
  const { cli, path } = surface;
  const outside = linkOutside(checkout, join(checkout, path));
  const isFlow = cli === 'tutti' && flow !== undefined;
  // Tutti refuses its own files behind such a link; an agent CLI follows it, and so does `tutti run`.
  const what = cli === 'tutti' && !isFlow ? 'not used' : 'not shown';
  if (outside !== null) return [linkMember(outside, what)];
  if (isFlow) return membersOfFlow(flow, checkout);
  return cli === 'tutti' && basename(path) === projectFile
    ? settingMembers(join(checkout, path))
    : contentMembers(checkout, surface, what);
}

/** The text of a prompt that lies outside the repository is not its own, so only its name is shown. */
function membersOfFlow({ flow, promptFiles }: FlowOutline, checkout: string): readonly Member[] {
  const files = [...promptFiles].map(([id, file]) => [id, relative(checkout, file)] as const);
  const steps = flow.steps.map((step) => {
    const file = promptFiles.get(step.id);
    const isOutside = file !== undefined && !isWithin(checkout, realOf(file) ?? file);
    return isOutside && step.work.kind === 'agent' ? { ...step, work: { ...step.work, prompt: '' } } : step;
  });
  return flowMembers({ steps }, new Map(files));
}

/** Every flow that a repository brings, by its path there; those outside `flows/` are named, whatever their name ends with. */
function outlineFlows(folder: string, named: readonly string[]): ReadonlyMap<string, FlowOutline> {
  const { checkout } = rootFor(folder);
  const isNamed = new Set(named.map((file) => relative(checkout, inRealFolder(file))));
  const paths = listSurfaces(folder, named)
    .filter(({ cli, path }) => cli === 'tutti' && basename(path) !== projectFile)
    .map(({ path }) => path)
    .filter((path) => isNamed.has(path) || /\.(?:ya?ml|json)$/.test(path));
  return new Map(
    paths.flatMap((path): readonly [string, FlowOutline][] => {
      const outline = outlineFlow(join(checkout, path));
      return outline.ok ? [[path, outline.value]] : [];
    }),
  );
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
  const { trustedAt, surfaces } = describeTrust(folder, env);
  const changed = surfaces.filter(({ change }) => change !== 'same');
  // A repository that is trusted but for a change: the change is named, whatever it is.
  return trustedAt === null ? unusedSurfaces(changed, projectPath(folder)) : changed;
}

/** The folder of the project, from the root of the checkout. */
function projectPath(folder: string): string {
  const project = projectInRepository(folder);
  return relative(rootFor(folder).checkout, realOf(project) ?? project);
}
