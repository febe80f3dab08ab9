import { err, ok, type Result } from '../lib/result.ts';
import { unreachable } from '../lib/unreachable.ts';
import type { AcpDriver, AcpPreset } from '../model/acp.ts';
import { type AgentCli, agentClis } from '../model/agent-clis.ts';
import { type Config, type DriverForm, noDriver } from '../model/config.ts';
import type { AgentDriver } from '../model/driver.ts';
import { type Failure, failure } from '../model/failure.ts';
import { nearest } from '../lib/nearest.ts';
import { defineAcp } from './acp/definition.ts';
import type { Preset } from './acp/preset.ts';
import type { AcpSetup } from './acp/setup.ts';
import { claudeCli } from './claude/cli.ts';
import { defineClaude } from './claude/definition.ts';
import type { CliDefinition } from './cli-definition.ts';
import { codexCli } from './codex/cli.ts';
import { defineCodex } from './codex/definition.ts';
import { defineCommand } from './command/definition.ts';
import type { DriverDefinition, DriverPaths } from './driver-definition.ts';
import { geminiCli } from './gemini/cli.ts';
import { opencodeCli } from './opencode/cli.ts';
import { recordingDriver } from './record/driver.ts';
import { defineReplay } from './replay/definition.ts';

const clis: Readonly<Record<AgentCli, CliDefinition>> = {
  claude: claudeCli,
  codex: codexCli,
  gemini: geminiCli,
  opencode: opencodeCli,
};

const presets: Readonly<Record<AcpPreset, Preset>> = {
  ...claudeCli.presets,
  ...codexCli.presets,
  ...geminiCli.presets,
  ...opencodeCli.presets,
};

/** A recorder runs another driver, and nothing is known about it besides. */
type WorkingForm = Exclude<DriverForm, { type: 'record' }>;

function define(form: WorkingForm): DriverDefinition {
  switch (form.type) {
    case 'command':
      return defineCommand(form);
    case 'replay':
      return defineReplay(form);
    case 'claude':
      return defineClaude(form);
    case 'codex':
      return defineCodex(form);
    case 'acp':
      return defineAcp(setUpAcp(form));
    default:
      return unreachable(form);
  }
}

/** Everything that Tutti knows about agent CLIs, in the order in which a project without a driver looks for them. */
export const knownClis: readonly CliDefinition[] = agentClis.map((name) => clis[name]);

/** What is known about a driver as it is set up; null for a recorder. */
export function defineDriver(form: DriverForm): DriverDefinition | null {
  return form.type === 'record' ? null : define(form);
}

/** The same for the driver of that name, or for the one that it records. Null: there is none. */
export function findWorkingDriver(config: Pick<Config, 'drivers'>, name: string): DriverDefinition | null {
  const found = findForm(config, name);
  const working = found?.type === 'record' ? findForm(config, found.driver) : found;
  return working === undefined ? null : defineDriver(working);
}

function findForm({ drivers }: Pick<Config, 'drivers'>, name: string): DriverForm | undefined {
  return Object.hasOwn(drivers, name) ? drivers[name] : undefined;
}

function setUpAcp({ agent, ...rest }: AcpDriver): AcpSetup {
  if ('command' in agent) return { ...rest, agent };
  const preset = presets[agent.preset];
  const { program = preset.program } = agent;
  return { ...rest, agent: { preset, program, cli: clis[preset.cli] } };
}

type DriverChoice = Pick<Config, 'drivers'> & Partial<Pick<Config, 'withheld'>>;

/** The driver of that name. Whether its program is there is another question: a log is read without it. */
export function driverOf(
  name: string,
  config: DriverChoice,
  paths: DriverPaths,
): Result<AgentDriver, Failure> {
  const found = findForm(config, name);
  if (found === undefined) return err(unknownDriver(name, Object.keys(config.drivers)));
  if (config.withheld?.includes(name) === true) return err(withheldDriver(name));
  if (found.type === 'record') return recorderOf(name, found, config, paths);
  return ok(define(found).agent(name, paths));
}

/** A recorder of a recorder would write each turn twice, and one of itself would never end. */
function recorderOf(
  name: string,
  { driver, cassette }: Extract<DriverForm, { type: 'record' }>,
  config: DriverChoice,
  paths: DriverPaths,
): Result<AgentDriver, Failure> {
  if (findForm(config, driver)?.type === 'record') {
    const why = `driver ${name} records ${driver}, which is a recorder itself: name the driver that works`;
    return err(failure('unavailable', why, { outcome: 'USAGE' }));
  }
  const found = driverOf(driver, config, paths);
  return found.ok ? ok(recordingDriver(name, found.value, cassette)) : found;
}

/** The same, refused when what it runs is not there: for the moment before a launch. */
export function readyDriver(
  name: string,
  config: DriverChoice,
  paths: DriverPaths,
): Result<AgentDriver, Failure> {
  const driver = driverOf(name, config, paths);
  const missing = driver.ok ? driver.value.missing() : null;
  return missing === null ? driver : err(failure('unavailable', `driver ${name} is not ready: ${missing}`));
}

function withheldDriver(name: string): Failure {
  const why = `driver ${name} uses a file of this repository that is not trusted: look at it, then: tutti trust`;
  return failure('unavailable', why);
}

function unknownDriver(name: string, known: readonly string[]): Failure {
  if (name === noDriver) return failure('unavailable', nothingInstalled());
  const meant = nearest(name, known);
  const hint = meant === null ? `known are ${known.join(', ')}` : `did you mean '${meant}'?`;
  return failure('unavailable', `there is no driver ${JSON.stringify(name)}; ${hint}`, { outcome: 'USAGE' });
}

function nothingInstalled(): string {
  const names = knownClis.map(({ name }) => name).join(', ');
  const installs = knownClis.map(({ install }) => install).join(', or: ');
  return `no driver is chosen by a tutti.yaml that is trusted, and none of ${names} is on PATH; install one: ${installs}`;
}
