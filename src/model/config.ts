import type { AcpDriver } from './acp.ts';
import type { Reservation } from './budget.ts';
import type { ClaudeDriver } from './claude.ts';
import type { CodexDriver } from './codex.ts';
import type { ResourceLimits } from './limits.ts';
import type { UndeclaredPolicy } from './plan/execute-input.ts';
import type { ModelPrice } from './price.ts';
import type { SandboxConfig } from './sandbox.ts';
import type { SessionHost, Tier } from './turn.ts';

/** What of `tutti.yaml` needs no knowledge of agent CLIs, with everything filled in. */
export interface ProjectSettings {
  readonly agents: Readonly<Record<string, AgentConfig>>;
  /** Names of further environment variables that agents and commands may see. */
  readonly env: readonly string[];
  /** Names of variables whose values are told nowhere, although their names do not sound secret. */
  readonly secrets: readonly string[];
  readonly maxSessions: number;
  readonly sessionTimeoutMs: number;
  readonly maxDepth: number;
  /** Events of runs that ended longer ago than this are pruned. */
  readonly eventsKeepMs: number;
  readonly limits: ResourceLimits;
  /** All session folders together: told above this. */
  readonly totalDiskWarnBytes: number;
  /** Archived sessions that ended longer ago than this may be pruned. */
  readonly archiveKeepMs: number;
  /** How `session create` runs agents unless it is told. */
  readonly host: Exclude<SessionHost, 'interactive'>;
  readonly tmux: TmuxConfig;
  /** What agents are kept from by the system itself. */
  readonly sandbox: SandboxConfig;
  readonly workspace: WorkspaceConfig;
  /** What an agent's first turn is expected to take, while no turn of it has ended. */
  readonly firstTurn: Reservation;
  /** By the name of the model. Tutti itself knows none. */
  readonly prices: Readonly<Record<string, ModelPrice>>;
}

/** `tutti.yaml` with everything filled in. Order of strength: flags, TUTTI_* environment, project, user, default. */
export interface Config extends ProjectSettings {
  /** Name of the driver for agents that choose none. */
  readonly driver: string;
  /** Why it is that driver. */
  readonly driverFrom: DriverOrigin;
  readonly drivers: Readonly<Record<string, DriverConfig>>;
  /** Names of those that run a program or obey a file of the repository that no person trusted: they are not started. */
  readonly withheld: readonly string[];
  /** Names of those that every project has and no file declares. */
  readonly undeclared: readonly string[];
}

/**
 * `named`: by a file, a variable or a flag. Otherwise the project's own `cassette.yaml` is played, or the first agent CLI
 * on PATH is used.
 */
type DriverOrigin = 'named' | 'cassette' | 'path';

/** Stands for a driver where none is named and none is found. */
export const noDriver = 'none';

/** What is run in each workspace of a plan, beside what the task needs. */
export interface WorkspaceConfig {
  /** When it was made: installing packages. Null: what the lock files ask for. */
  readonly setup: readonly (readonly [string, ...string[]])[] | null;
  /** Before it is removed: stopping what was started. */
  readonly teardown: readonly (readonly [string, ...string[]])[];
  /** Commands that judge the whole project, as a person would type them. Null: those that its files show. */
  readonly testCommands: readonly string[] | null;
  /** For each of them. */
  readonly timeoutMs: number;
  /** What becomes of files that a task wrote and did not declare, unless somebody says otherwise. */
  readonly undeclared: UndeclaredPolicy;
}

export interface TmuxConfig {
  /** The name of the server's socket: sessions are found with `tmux -L <socket>`. */
  readonly socket: string;
  /** What the names of its sessions begin with. */
  readonly prefix: string;
}

/** How an agent is run, and which variables it may see besides those that all may. */
export type DriverConfig = DriverForm & { readonly env?: readonly string[] };

export type DriverForm =
  | {
      readonly type: 'command';
      readonly command: readonly [string, ...string[]];
      /** `stream` keeps standard input open, so that more can be sent while it works. */
      readonly input: 'file' | 'stream';
      /** A terminal interface of the same agent, which reports through `$TUTTI_HOOK`. */
      readonly interactive?: readonly [string, ...string[]];
    }
  | { readonly type: 'replay'; readonly cassette: string }
  /** Another driver, by its name, whose turns are kept in a cassette. */
  | { readonly type: 'record'; readonly driver: string; readonly cassette: string }
  | ClaudeDriver
  | CodexDriver
  | AcpDriver;

export interface AgentConfig {
  readonly driver?: string;
  readonly tier?: Tier;
}
