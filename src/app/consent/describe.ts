import { homedir } from 'node:os';
import { basename, join, relative } from 'node:path';
import type { DriverConfig } from '../../model/config.ts';
import type { Flow, GateSpec } from '../../model/flow.ts';
import type { ConfigLayer } from '../../model/schemas/config.ts';
import { fileLayer } from '../config/file-layer.ts';
import { namedFiles, projectFile } from '../config/load-config.ts';
import { loadFlow } from '../flow-file/load-flow.ts';
import { inRealFolder } from '../../workspace/trust-root.ts';
import { findProject } from '../project.ts';
import type { Variables } from '../state-folder.ts';
import { projectTrust } from '../trust/project-trust.ts';
import { rootFor } from '../trust/root.ts';
import { type Besides, lookAtTrust, type ShownSurface, type Trust } from '../trust/trust.ts';

/** Something that a repository brings, with what it would do. */
export interface DescribedSurface extends ShownSurface {
  /** Null where the name says enough, or the file cannot be read. */
  readonly does: string | null;
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
    does: whatItDoes(checkout, surface),
    isForDriver: forDrivers.has(surface.path),
  }));
  return { ...seen, surfaces, files };
}

/** What does not count yet, because no person has trusted it as it is now. */
export function untrustedSurfaces(folder: string, env: Variables): readonly DescribedSurface[] {
  return describeTrust(folder, env).surfaces.filter(({ change }) => change !== 'same');
}

function whatItDoes(checkout: string, { cli, path }: ShownSurface): string | null {
  if (cli !== 'tutti') return null;
  const file = join(checkout, path);
  if (basename(path) === projectFile) {
    const layer = fileLayer(file);
    return layer.ok ? settingsIn(layer.value.layer) : null;
  }
  return /\.(?:ya?ml|json)$/.test(path) ? commandsIn(file) : null;
}

function settingsIn(layer: ConfigLayer): string | null {
  const { drivers = {}, env = [], workspace = {} } = layer;
  const { setup, teardown = [], testCommands } = workspace;
  const words = [
    ...(layer.driver === undefined ? [] : [`agents run with ${layer.driver}`]),
    ...Object.entries(drivers).map(([name, driver]) => `driver ${name} ${describeDriver(driver)}`),
    ...(env.length === 0 ? [] : [`passes ${env.join(', ')}`]),
    ...(layer.sandbox === undefined ? [] : [`sandbox ${layer.sandbox.mode}`]),
    ...[...(setup ?? []), ...teardown].map((argv) => `runs ${argv.join(' ')}`),
    ...(testCommands ?? []).map((command) => `runs ${command}`),
  ];
  return words.length === 0 ? null : words.join('; ');
}

function describeDriver(driver: DriverConfig): string {
  const passes = driver.env === undefined ? '' : `, passes ${driver.env.join(', ')}`;
  switch (driver.type) {
    case 'command':
      return `runs ${driver.command.join(' ')}${passes}`;
    case 'claude': {
      const { program, permissionMode, settings, mcpConfig } = driver;
      const mode = permissionMode === undefined ? '' : `, permission mode ${permissionMode}`;
      const files = [settings, mcpConfig].filter((file) => file !== undefined);
      return `runs ${program}${mode}${files.map((file) => `, takes ${file}`).join('')}${passes}`;
    }
    case 'codex':
      return `runs ${driver.program}${driver.sandbox === undefined ? '' : `, sandbox ${driver.sandbox}`}${passes}`;
    case 'acp':
      return `runs ${'command' in driver.agent ? driver.agent.command.join(' ') : (driver.agent.program ?? driver.agent.preset)}${passes}`;
    case 'replay':
    case 'record':
      return `uses ${driver.cassette}${passes}`;
  }
}

const shownCommands = 8;

function commandsIn(file: string): string | null {
  const flow = loadFlow(file);
  if (!flow.ok) return null;
  const commands = commandsOf(flow.value);
  const rest = commands.length - shownCommands;
  const words = [...commands.slice(0, shownCommands), ...(rest > 0 ? [`${rest} more`] : [])];
  return words.length === 0 ? null : `runs ${words.join('; ')}`;
}

/** Every command that a flow runs by itself. */
export function commandsOf({ steps }: Flow): readonly string[] {
  return steps.flatMap(({ work, gates }) => [
    ...(work.kind === 'command' ? [work.argv.join(' ')] : []),
    ...gates.flatMap(commandOfGate),
  ]);
}

function commandOfGate(gate: GateSpec): readonly string[] {
  return gate.kind === 'command' ? [gate.argv.join(' ')] : [];
}
