import type { Config, DriverConfig } from '../model/config.ts';
import { modelSetting } from '../model/model-refusal.ts';
import { modelOf } from '../model/price-lookup.ts';
import type { SurfacePlace } from '../model/trust-surfaces.ts';
import type { SessionSpec, Tier } from '../model/turn.ts';
import type { CliDefinition } from './cli-definition.ts';
import { isOn, type Variables } from './environment.ts';
import { homePlacer } from './homes.ts';
import { defineDriver, findWorkingDriver, knownClis } from './registry.ts';

/** Drivers that need no declaration, each under the name of its CLI. */
export const undeclaredDrivers: Readonly<Record<string, DriverConfig>> = Object.fromEntries(
  knownClis.map(({ name, driver }) => [name, driver]),
);

/** Agent CLIs that Tutti does not advance. */
const otherAgents = 'aider amp auggie copilot crush cursor-agent droid goose kiro-cli qwen'.split(' ');

/** Programs whose tools are an agent's: the CLIs that Tutti advances, and others that people run beside it. */
export const agentPrograms: ReadonlySet<string> = new Set([
  ...knownClis.flatMap(({ tools }) => tools.programs),
  ...otherAgents,
]);

/** Variables that a CLI gives its tools, with the name of the CLI. */
export const agentVariables: ReadonlyMap<string, string> = new Map(
  knownClis.flatMap(({ name, tools }) => tools.variables.map((variable) => [variable, name] as const)),
);

/** Where agent CLIs look, in the folder they work in and in those above it. */
export const surfacePlaces: readonly SurfacePlace[] = knownClis.flatMap(({ name, repository }) =>
  repository.surfaces.map((surface) => ({ cli: name, ...surface })),
);

/** Files of a repository that the person's own CLIs would run, whichever of them an agent works with. */
export const guardedFiles: readonly string[] = knownClis.flatMap(({ repository }) => repository.guarded);

/** Folders of a repository in which agent CLIs look for agents that Tutti can read. */
export const agentFolders: readonly string[] = knownClis.flatMap(({ repository }) => repository.agents ?? []);

/** Folders of a repository in which agent CLIs look for commands of people. */
export const commandFolders: readonly string[] = knownClis.flatMap(
  ({ repository }) => repository.commands ?? [],
);

/** Folders of a repository in which agent CLIs look for skills. */
export const skillFolders: readonly string[] = [
  ...new Set(knownClis.flatMap(({ repository }) => repository.reads.skills)),
];

/** Files that say what the person wants of every agent: absolute where a variable puts them, else relative to the home. */
export function personalInstructions(env: Variables): readonly string[] {
  return knownClis.flatMap(({ home: { instructions, moved } }) =>
    instructions === undefined ? [] : [homePlacer({ moved }, env)(instructions)],
  );
}

/** The CLI behind a driver, also behind a bridge to it; null for a program that is not known. */
export function cliBehind(driver: DriverConfig): CliDefinition | null {
  return defineDriver(driver)?.cli?.cli ?? null;
}

/** Names of the variables that a session of this driver may see besides those that every process sees. */
export function variablesFor(
  { env, drivers }: Pick<Config, 'env' | 'drivers'>,
  name: string,
  parent: Variables,
): readonly string[] {
  const found = Object.hasOwn(drivers, name) ? drivers[name] : undefined;
  // A driver that records runs another one, which needs what it always needs.
  const inner =
    found?.type === 'record' && Object.hasOwn(drivers, found.driver) ? drivers[found.driver] : undefined;
  const own = [found, inner].flatMap((driver) =>
    driver === undefined ? [] : [...(driver.env ?? []), ...variablesOfCli(cliBehind(driver), parent)],
  );
  return [...env, ...own];
}

function variablesOfCli(cli: CliDefinition | null, parent: Variables): readonly string[] {
  if (cli === null) return [];
  const { keys, settings, switched } = cli.variables;
  const on = switched.filter(({ by }) => isOn(parent[by]));
  return [...keys, ...settings, ...on.flatMap(({ names }) => names)];
}

/** A driver with the default models of its CLI for every tier that its setup names none for. */
export function withDefaultModels(driver: DriverConfig, env: Variables, home: string): DriverConfig {
  if (!('models' in driver)) return driver;
  const defaults = defineDriver(driver)?.defaultModels(env, home);
  return { ...driver, models: { ...defaults, ...driver.models } };
}

type AgentModel = Pick<SessionSpec, 'driver' | 'tier' | 'model'>;

/** The model of an agent's turns: that of its file where the CLI has it, else the tier's; null: the CLI's default. */
export function findModel(config: Pick<Config, 'drivers'>, agent: AgentModel): string | null {
  return modelOfFile(config, agent) ?? modelOf(config, agent.driver, agent.tier);
}

/** Where a person names another model for an agent. A run keeps what the agent's file says. */
export function findModelSetting(
  config: Pick<Config, 'drivers'>,
  agent: AgentModel & Pick<SessionSpec, 'agent'>,
): string {
  return modelOfFile(config, agent) === null
    ? modelSetting(agent.driver, agent.tier)
    : `\`model:\` in the file of agent ${agent.agent}, then resume with --refresh`;
}

/** Null: it names none, or one that its CLI does not have. */
function modelOfFile(config: Pick<Config, 'drivers'>, { driver, model }: AgentModel): string | null {
  const isKnown = model !== undefined && cliOfDriver(config, driver)?.knowsModel(model) === true;
  return isKnown ? model : null;
}

/** One sentence where an agent's file names a model of another vendor; null where the CLI uses it, or chooses none. */
export function describeOtherModel(
  config: Pick<Config, 'drivers'>,
  agent: AgentModel & Pick<SessionSpec, 'agent'>,
): string | null {
  const cli = cliOfDriver(config, agent.driver);
  if (agent.model === undefined || cli === null || cli.knowsModel(agent.model)) return null;
  const used = modelShown(config, agent.driver, agent.tier);
  return `agent ${agent.agent} names the model ${agent.model}, which ${cli.name} does not have: using ${used} (tier ${agent.tier})`;
}

function cliOfDriver(config: Pick<Config, 'drivers'>, driver: string): CliDefinition | null {
  return findWorkingDriver(config, driver)?.cli?.cli ?? null;
}

/** The model that a driver uses for a tier, as a person reads it. */
export function modelShown(config: Pick<Config, 'drivers'>, driver: string, tier: Tier): string {
  return modelOf(config, driver, tier) ?? "the CLI's default";
}
