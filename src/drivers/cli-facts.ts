import type { DriverConfig } from '../model/config.ts';
import type { Tier } from '../model/turn.ts';

type CliName = 'claude' | 'codex' | 'gemini' | 'opencode';

export type Variables = Readonly<Record<string, string | undefined>>;

/** What is known about one agent CLI. Each CLI's folder holds its own facts. */
export interface CliFacts {
  readonly name: CliName;
  readonly install: string;
  /** The driver of this name in a project that declares none. */
  readonly driver: DriverConfig;
  /** The model of each tier; a tier without one is left to the CLI's own default. */
  readonly models: Readonly<Partial<Record<Tier, string>>>;
  /** Whether a model of this name belongs to the CLI's vendor. */
  readonly knowsModel: (model: string) => boolean;
  readonly variables: CliVariables;
  /** How its tools are recognized: the programs that they descend from, bridges too, and variables that it gives them. */
  readonly tools: { readonly programs: readonly string[]; readonly variables: readonly string[] };
}

/** Names of the variables that the person's own CLI reads. No other process gets them. */
interface CliVariables {
  readonly keys: readonly string[];
  readonly settings: readonly string[];
  /** Further ones that it reads only where a switch is on: a cloud's credentials are nobody's business otherwise. */
  readonly switched: readonly { readonly by: string; readonly names: readonly string[] }[];
}

/** A text of names as a list, so that a long table stays readable. */
export function names(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '));
}
