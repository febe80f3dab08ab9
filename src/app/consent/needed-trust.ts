import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { projectFile } from '../config/default-settings.ts';
import { filesOfDefinition, type NamedDefinition } from '../compose/definition-files.ts';
import { readLayers } from '../config/file-layer.ts';
import { untrustedMembers } from '../config/load-config.ts';
import { suggestedCommands } from '../discovery/discover.ts';
import { isSafeName } from '../../lib/ids.ts';
import { contentAddress } from '../../lib/digest.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { inRealFolder } from '../../workspace/trust-root.ts';
import { surfaceDigest } from '../../workspace/trust-surfaces.ts';
import { refuseConfig } from '../opened-project.ts';
import { findProject } from '../project.ts';
import type { Refusal } from '../refusal.ts';
import { templatePath } from '../session-control/template.ts';
import type { Variables } from '../state-folder.ts';
import { filesOfFlow, ownerOf } from '../trust/named-file.ts';
import { projectTrust } from '../trust/project-trust.ts';
import { rootFor } from '../trust/root.ts';
import { isDeclined } from '../trust/trust.ts';
import { type DescribedTrust, describeTrust, type Seen } from './describe.ts';

/** What a command is about to use. */
export interface Wanted {
  readonly folder: string;
  readonly env: Variables;
  /** A flow that the person named; its prompts may stand in files. */
  readonly flow?: string | undefined;
  /** A template for a prompt that the person named. */
  readonly template?: string | undefined;
  /** A composition that the person named. */
  readonly definition?: NamedDefinition | undefined;
  /** A folder whose own commands (install, test, lint) will run. */
  readonly target?: string | undefined;
}

/** A repository, and what the command takes from it. */
type Source = Omit<Seen, 'trust'>;

/** A repository that brings what the command needs and no person trusted as it is now: a question shows all of it, once. */
export interface NeededTrust extends Seen {
  /** What the command cannot use yet. */
  readonly needs: readonly string[];
  /** A name for what is needed, as it is now. */
  readonly state: string;
  /** A person started a run without it, as it is now. */
  readonly isDeclined: boolean;
}

/** Read by everything that works in a project; flows, templates, protocols and compositions only where they are named. */
const alwaysRead = /(?:^|\/)(?:cassette\.yaml|\.worktreeinclude|(?:agents|skills)\/[^/]+)$/;

/** One for each repository that is needed and not trusted as it is now. Empty: everything counts. */
export function neededTrust(wanted: Wanted): readonly NeededTrust[] {
  const { folder, env, flow, template, definition, target } = wanted;
  const project = findProject(folder);
  const file = flow === undefined ? null : resolve(folder, flow);
  const owner = file === null ? null : ownerOf(file, project);
  const commands = target === undefined ? [] : suggestedCommands(resolve(folder, target));
  const sources: readonly Source[] = [
    {
      folder: project,
      files: [
        ...templateFiles(project, template),
        ...(definition === undefined ? [] : filesOfDefinition(project, definition)),
      ],
      commands: [],
    },
    ...(file === null || owner === null
      ? []
      : [{ folder: owner, files: filesOfFlow(file, owner, env), commands: [] }]),
    ...(target === undefined || commands.length === 0
      ? []
      : [{ folder: existing(resolve(folder, target)), files: [], commands }]),
  ];
  const repositories = new Map<string, Source>();
  for (const source of sources) {
    const { root } = rootFor(source.folder);
    const known = repositories.get(root) ?? { ...source, files: [], commands: [] };
    repositories.set(root, {
      folder: known.folder,
      files: [...known.files, ...source.files],
      commands: [...known.commands, ...source.commands],
    });
  }
  return [...repositories.values()].flatMap((source) => {
    const trust = describeTrust(source.folder, env, source);
    const needs = [
      ...(source.folder === project ? readAlways(project, trust, env) : []),
      ...named(source, env),
    ];
    if (needs.length === 0) return [];
    const state = stateOf(source, trust, needs);
    return [{ ...source, trust, needs, state, isDeclined: isDeclined(source.folder, env, state) }];
  });
}

/** Why a conductor of the project would refuse to start: no person is there to ask. Null: it would not. */
export function conductorDistrust({ folder, env }: Pick<Wanted, 'folder' | 'env'>): string | null {
  const needed = neededTrust({ folder: findProject(folder), env }).find((each) => !each.isDeclined);
  return needed === undefined ? null : describeNeeded(needed);
}

export function describeNeeded({ trust, needs }: NeededTrust): string {
  return `${oneLine(trust.checkout, 300)} brings what you have not trusted as it is now: ${oneLine(needs.join(', '), 300)}`;
}

/** A configuration that cannot be read does not tell what it asks for; what is wrong in it comes before any question of trust. */
export function refuseMistakes({ folder, env }: Pick<Wanted, 'folder' | 'env'>): Refusal | null {
  const read = readLayers({ projectDir: findProject(folder), env, home: env['HOME'] ?? homedir() });
  return read.ok ? null : refuseConfig(read.error);
}

function templateFiles(project: string, name: string | undefined): readonly string[] {
  if (name === undefined || !isSafeName(name)) return [];
  const file = join(project, templatePath(name));
  return existsSync(file) ? [file] : [];
}

function stateOf({ folder }: Source, { surfaces }: DescribedTrust, needs: readonly string[]): string {
  const { checkout } = rootFor(folder);
  const digests = surfaces
    .filter(({ cli, change, namedBy }) => (cli === 'tutti' || namedBy !== null) && change !== 'same')
    .map((surface) => surfaceDigest(checkout, surface));
  return contentAddress([...needs, ...digests].join('\n')).slice(0, 32);
}

/** What every command that works in a project takes from it. */
function readAlways(project: string, { surfaces }: DescribedTrust, env: Variables): readonly string[] {
  const trust = projectTrust(project, env);
  const members = untrustedMembers({ projectDir: project, env, home: env['HOME'] ?? homedir(), trust });
  return [
    ...(members.length === 0
      ? []
      : [`${pathInCheckout(project, join(project, projectFile))} (${members.join(', ')})`]),
    ...surfaces
      .filter(({ change }) => change !== 'same')
      .filter(({ cli, path, namedBy }) => namedBy === 'driver' || (cli === 'tutti' && alwaysRead.test(path)))
      .map(({ path }) => path),
  ];
}

function named({ folder, files, commands }: Source, env: Variables): readonly string[] {
  const trust = projectTrust(folder, env);
  return [
    ...files.filter((file) => !trust.counts(file)).map((file) => pathInCheckout(folder, file)),
    ...commands.filter((command) => !trust.countsCommands([command])).map((command) => `\`${command}\``),
  ];
}

/** As surfaces are named: from the checkout that a folder belongs to. */
export function pathInCheckout(folder: string, file: string): string {
  return relative(rootFor(folder).checkout, inRealFolder(file));
}

/** A target need not exist yet. */
function existing(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : existing(dirname(folder));
}
