import type { JsonObject } from '../lib/json.ts';
import type { AgentDriver } from '../model/driver.ts';
import type { AgentProgram } from '../model/sandbox.ts';
import type { CliDefinition, Models } from './cli-definition.ts';
import type { Variables } from './environment.ts';

export interface DriverPaths {
  readonly projectDir: string;
  /** The PATH that agents will see. */
  readonly searchPath: string;
}

/** Where a CLI's own interface would be opened. */
export interface InterfacePlace {
  readonly workspace: string;
  /** What it would see. */
  readonly env: Variables;
}

/** The agent CLI behind a driver. */
export interface CliUse {
  readonly cli: CliDefinition;
  /** What is started: a name or a path. */
  readonly program: string;
  /** A bridge is another program that brings or starts the CLI: it has versions and names of models of its own. */
  readonly isBridge: boolean;
  /** The command that installs the program. */
  readonly install: string;
}

/** What is known about a driver as it is set up. The folder of each type makes its own. */
export interface DriverDefinition {
  /** Null: a program of which nothing is known. */
  readonly cli: CliUse | null;
  /** What `sandbox: auto` has to know. */
  readonly program: AgentProgram;
  /** Command lines that the setup names: their words may be files of the project. */
  readonly commands: readonly (readonly string[])[];
  /** Files that the setup names and the driver obeys: settings with hooks, servers, turns with commands. */
  readonly files: readonly string[];
  /** Settings of the CLI that the setup passes on, over those of its own file. */
  readonly settings: JsonObject;
  /** The model of each tier that the setup names none for. */
  readonly defaultModels: (env: Variables, home: string) => Models;
  agent(name: string, paths: DriverPaths): AgentDriver;
  /** Null, or why its interface cannot be opened now, in a sentence with what fixes it. */
  interfaceProblem(name: string, place: InterfacePlace): string | null;
  /** The conversation of an interface, which reports none; absent: not known. */
  readonly interfaceConversation?: (projectDir: string, sessionId: string) => string;
  /** What a person types to continue a conversation in the CLI itself; absent: the CLI has no such command. */
  readonly resumeCommand?: (conversation: string) => readonly string[];
}

/** Of a driver of which nothing else is known. */
export const unknownProgram = {
  cli: null,
  files: [],
  settings: {},
  defaultModels: () => ({}),
  interfaceProblem: noInterface,
} as const;

export function noInterface(name: string): string {
  return `driver ${name} has no interactive interface: leave out --interactive`;
}

/** What the operator's own configuration runs: which files of a repository that reads, nobody here knows. */
export const obeysNobody = { obeys: [], restrains: false } as const;
