import { isAbsolute, join } from 'node:path';
import type { AcpPreset } from '../model/acp.ts';
import type { Config, DriverConfig } from '../model/config.ts';
import type { AgentProgram } from '../model/sandbox.ts';
import { unreachable } from '../lib/unreachable.ts';

/** Where a CLI keeps its own files, relative to the person's home. */
export interface CliHome {
  /** Written by every turn: without them it forgets its conversations, or does not start. */
  readonly folders: readonly string[];
  /** In those folders or beside them, and still not for agents: what starts programs or instructs later sessions. */
  readonly guarded: readonly string[];
  /** Guarded as well, and made with this content where absent, so that no agent can make them. */
  readonly settings: Readonly<Record<string, string>>;
}

const cliHomes = {
  claude: {
    folders: ['.claude'],
    guarded: [
      '.claude.json',
      ...['settings.local.json', 'hooks', 'plugins', 'commands', 'agents', 'skills', 'CLAUDE.md'].map(
        (name) => `.claude/${name}`,
      ),
    ],
    settings: { '.claude/settings.json': '{}\n' },
  },
  codex: {
    folders: ['.codex'],
    guarded: ['hooks.json', 'rules', 'prompts', 'skills', 'AGENTS.md'].map((name) => `.codex/${name}`),
    settings: { '.codex/config.toml': '' },
  },
  gemini: {
    folders: ['.gemini'],
    guarded: ['extensions', 'commands', 'skills', 'GEMINI.md', '.env'].map((name) => `.gemini/${name}`),
    settings: { '.gemini/settings.json': '{}\n' },
  },
  opencode: {
    folders: ['.local/share/opencode', '.local/state/opencode', '.cache/opencode', '.config/opencode'],
    guarded: ['opencode.json', 'opencode.jsonc', 'plugin', 'plugins', 'agent', 'command', 'AGENTS.md'].map(
      (name) => `.config/opencode/${name}`,
    ),
    settings: {},
  },
} as const satisfies Record<string, CliHome>;

const presetHomes: Readonly<Record<AcpPreset, CliHome>> = {
  gemini: cliHomes.gemini,
  opencode: cliHomes.opencode,
  'claude-agent-acp': cliHomes.claude,
  'codex-acp': cliHomes.codex,
};

type Env = Readonly<Record<string, string | undefined>>;

const xdgFolders = [
  ['.local/share/', 'XDG_DATA_HOME'],
  ['.local/state/', 'XDG_STATE_HOME'],
  ['.cache/', 'XDG_CACHE_HOME'],
  ['.config/', 'XDG_CONFIG_HOME'],
] as const;

/** The same files where the person's variables have them: absolute there, relative to the home otherwise. */
export function placedHome({ folders, guarded, settings }: CliHome, env: Env): CliHome {
  const place = (name: string): string => {
    const [prefix = '', variable = ''] = xdgFolders.find(([start]) => name.startsWith(start)) ?? [];
    const root = env[variable] ?? '';
    return isAbsolute(root) ? join(root, name.slice(prefix.length)) : name;
  };
  const placed = Object.entries(settings).map(([name, content]) => [place(name), content]);
  return { folders: folders.map(place), guarded: guarded.map(place), settings: Object.fromEntries(placed) };
}

/** Null: a program of the operator, of which nothing is known. */
export function findCliHome(config: DriverConfig): CliHome | null {
  switch (config.type) {
    case 'claude':
      return cliHomes.claude;
    case 'codex':
      return cliHomes.codex;
    case 'acp':
      return 'preset' in config.agent ? presetHomes[config.agent.preset] : null;
    case 'command':
    case 'replay':
    case 'record':
      return null;
    default:
      return unreachable(config);
  }
}

/** The driver that does the work: a recorder runs another one. */
export function findWorkingDriver(
  { drivers }: Pick<Config, 'drivers'>,
  name: string,
): DriverConfig | undefined {
  const found = Object.hasOwn(drivers, name) ? drivers[name] : undefined;
  if (found?.type !== 'record') return found;
  return Object.hasOwn(drivers, found.driver) ? drivers[found.driver] : undefined;
}

/** What `sandbox: auto` has to know about a driver. Of an agent by its bare command nothing is known. */
export function describeProgram(config: DriverConfig): AgentProgram {
  switch (config.type) {
    case 'claude':
      return { kind: 'cli', hasOwnSandbox: false, deniesCommands: true };
    case 'codex':
      return {
        kind: 'cli',
        hasOwnSandbox: config.sandbox !== 'danger-full-access',
        deniesCommands: false,
      };
    case 'acp': {
      const { agent } = config;
      if (!('preset' in agent)) return { kind: 'program', obeysTools: true };
      return { kind: 'cli', hasOwnSandbox: agent.preset === 'codex-acp', deniesCommands: true };
    }
    case 'replay':
      return { kind: 'player' };
    case 'command':
    case 'record':
      return { kind: 'program', obeysTools: false };
    default:
      return unreachable(config);
  }
}
