import type { Config, DriverConfig } from '../model/config.ts';
import { modelOf } from '../model/price-lookup.ts';
import type { SessionSpec, Tier } from '../model/turn.ts';
import { claudeFacts } from './claude/facts.ts';
import type { CliFacts, Variables } from './cli-facts.ts';
import { codexFacts } from './codex/facts.ts';
import { hasOwnProvider } from './codex/provider.ts';
import { geminiFacts } from './gemini/facts.ts';
import { findWorkingDriver } from './homes.ts';
import { opencodeFacts } from './opencode/facts.ts';

/** The agent CLIs that need no declaration, in the order in which a project without a driver looks for them. */
export const knownClis: readonly CliFacts[] = [claudeFacts, codexFacts, geminiFacts, opencodeFacts];

/** Their drivers, each under the CLI's own name. */
export const undeclaredDrivers: Readonly<Record<string, DriverConfig>> = Object.fromEntries(
  knownClis.map(({ name, driver }) => [name, driver]),
);

/** Agent CLIs that Tutti does not drive. */
const otherAgents = 'aider amp auggie copilot crush cursor-agent droid goose kiro-cli qwen'.split(' ');

/** Programs whose tools are an agent's: the CLIs that Tutti drives, and others that people run beside it. */
export const agentPrograms: ReadonlySet<string> = new Set([
  ...knownClis.flatMap(({ tools }) => tools.programs),
  ...otherAgents,
]);

/** Variables that a CLI gives its tools, with the name of the CLI. */
export const agentVariables: ReadonlyMap<string, string> = new Map(
  knownClis.flatMap(({ name, tools }) => tools.variables.map((variable) => [variable, name] as const)),
);

/** The CLI behind a driver, also behind a bridge to it; null for a program that is not known. */
export function cliBehind(driver: DriverConfig): CliFacts | null {
  switch (driver.type) {
    case 'claude':
      return claudeFacts;
    case 'codex':
      return codexFacts;
    case 'acp':
      return 'preset' in driver.agent ? behindPreset[driver.agent.preset] : null;
    case 'command':
    case 'replay':
    case 'record':
      return null;
  }
}

const behindPreset = {
  gemini: geminiFacts,
  opencode: opencodeFacts,
  'claude-agent-acp': claudeFacts,
  'codex-acp': codexFacts,
} as const;

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

function variablesOfCli(cli: CliFacts | null, parent: Variables): readonly string[] {
  if (cli === null) return [];
  const { keys, settings, switched } = cli.variables;
  const on = switched.filter(({ by }) => !['', '0', 'false'].includes((parent[by] ?? '').toLowerCase()));
  return [...keys, ...settings, ...on.flatMap(({ names }) => names)];
}

/** A driver with the default models of its CLI for every tier that its setup names none for. */
export function withDefaultModels(driver: DriverConfig, env: Variables, home: string): DriverConfig {
  if (!('models' in driver)) return driver;
  const { models } = driver;
  const filled = { ...defaultModels(driver, env, home), ...models };
  return { ...driver, models: filled };
}

/** A bridge names models in its own way, and another provider has other ones. */
function defaultModels(driver: DriverConfig, env: Variables, home: string): CliFacts['models'] {
  if (driver.type === 'codex' && hasOwnProvider(driver, env, home)) return {};
  const cli = cliBehind(driver);
  const isBridge = driver.type === 'acp' && 'preset' in driver.agent && driver.agent.preset !== cli?.name;
  return cli === null || isBridge ? {} : cli.models;
}

type AgentModel = Pick<SessionSpec, 'driver' | 'tier' | 'model'>;

/** The model of an agent's turns: that of its file where the CLI has it, else the tier's; null: the CLI's default. */
export function findModel(config: Pick<Config, 'drivers'>, agent: AgentModel): string | null {
  const { driver, tier, model } = agent;
  const cli = cliOfDriver(config, driver);
  return model !== undefined && cli?.knowsModel(model) === true ? model : modelOf(config, driver, tier);
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

function cliOfDriver(config: Pick<Config, 'drivers'>, driver: string): CliFacts | null {
  const working = findWorkingDriver(config, driver);
  return working === undefined ? null : cliBehind(working);
}

/** The model that a driver uses for a tier, as a person reads it. */
export function modelShown(config: Pick<Config, 'drivers'>, driver: string, tier: Tier): string {
  return modelOf(config, driver, tier) ?? "the CLI's default";
}
