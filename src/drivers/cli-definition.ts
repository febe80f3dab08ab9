import type { AcpPreset } from '../model/acp.ts';
import type { AgentCli } from '../model/agent-clis.ts';
import type { DriverConfig } from '../model/config.ts';
import type { OwnReading } from '../model/driver.ts';
import type { SurfacePower } from '../model/trust.ts';
import type { Tier } from '../model/turn.ts';
import type { Preset } from './acp/preset.ts';
import type { FindSignIn } from './sign-in.ts';

export type Models = Readonly<Partial<Record<Tier, string>>>;

/** What is known about one agent CLI, whichever driver runs it. Its folder holds the definition, and nothing else names it. */
export interface CliDefinition {
  readonly name: AgentCli;
  readonly install: string;
  /** The oldest version that Tutti was tried with. */
  readonly triedFrom: string;
  /** The driver of this name in a project that declares none. */
  readonly driver: DriverConfig;
  /** The model of each tier; a tier without one is left to the CLI's own default. */
  readonly models: Models;
  /** Whether a model of this name belongs to the CLI's vendor. */
  readonly knowsModel: (model: string) => boolean;
  readonly variables: CliVariables;
  /** How its tools are recognized: the programs that they descend from, bridges too, and variables that it gives them. */
  readonly tools: { readonly programs: readonly string[]; readonly variables: readonly string[] };
  readonly signIn: CliSignIn;
  readonly home: CliHome;
  readonly repository: CliRepository;
  /** Agents of the Agent Client Protocol that are this CLI: its own program, or a bridge to it. */
  readonly presets: Readonly<Partial<Record<AcpPreset, Preset>>>;
}

/** Names of the variables that the person's own CLI reads. No other process gets them. */
interface CliVariables {
  readonly keys: readonly string[];
  readonly settings: readonly string[];
  /** Further ones that it reads only where a switch is on: a cloud's credentials are nobody's business otherwise. */
  readonly switched: readonly { readonly by: string; readonly names: readonly string[] }[];
}

interface CliSignIn {
  /** What a person does when the model refuses the key: the variable and the command. */
  readonly advice: string;
  /** Loaded when it is asked for: commands that only read state never need it. */
  readonly load: () => Promise<FindSignIn>;
  /** Its own provider answers without a sign-in. */
  readonly optional?: true;
}

/** Where a CLI keeps its own files, relative to the person's home. */
export interface CliHome {
  /** Written by every turn: without them it forgets its conversations, or does not start. */
  readonly folders: readonly string[];
  /** In those folders or beside them, and still not for agents: what starts programs or instructs later sessions. */
  readonly guarded: readonly string[];
  /** Guarded as well, and made with this content where absent, so that no agent can make them. */
  readonly settings: Readonly<Record<string, string>>;
  /** Folders that a variable of the CLI puts elsewhere, the narrower first; `''`: everything. Absent: it has none. */
  readonly moved?: readonly (readonly [folder: string, variable: string])[];
  /** What the person wants of every agent, in words; absent: Tutti reads none. */
  readonly instructions?: string;
}

/** What a CLI takes from a repository that it works in. */
interface CliRepository {
  /** Instructions and skills that it finds by itself. */
  readonly reads: OwnReading;
  /** Files that it obeys, unless it is kept from them. Of two places that fit, the first counts. */
  readonly surfaces: readonly CliSurface[];
  /** Files that a sandboxed agent may not change, because the person's own CLI runs what they say. */
  readonly guarded: readonly string[];
  /** A folder of agents in the form of Tutti's own; absent: it has none. */
  readonly agents?: string;
  /** A folder of commands for people, each a Markdown file that works as a system prompt; absent: it has none. */
  readonly commands?: string;
}

interface CliSurface {
  readonly power: SurfacePower;
  /** `folder/*`: everything directly in that folder. */
  readonly at: string;
}

/** A text of names as a list, so that a long table stays readable. */
export function names(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '));
}
