import { err, ok, type Result } from '../lib/result.ts';
import type { AcpDriver } from '../model/acp.ts';
import { type Config, type DriverForm, noDriver } from '../model/config.ts';
import type { AgentDriver } from '../model/driver.ts';
import { type Failure, failure } from '../model/failure.ts';
import { nearest } from '../model/schemas/nearest.ts';
import { owedSchema } from '../model/result-contract.ts';
import { unreachable } from '../lib/unreachable.ts';
import { missingAcpAgent } from './acp/capabilities.ts';
import { planAcp, readingOf, restraintOf, signInOf, usageOf } from './acp/launch.ts';
import { acpReader } from './acp/parse.ts';
import { missingClaude } from './claude/capabilities.ts';
import { interactiveClaude, planClaude } from './claude/launch.ts';
import { claudeReader } from './claude/parse.ts';
import { claudeSignIn } from './claude/sign-in.ts';
import { missingCodex } from './codex/capabilities.ts';
import { codexSchema, planCodex } from './codex/launch.ts';
import { codexReader } from './codex/parse.ts';
import { codexSignIn } from './codex/sign-in.ts';
import { knownClis } from './known-clis.ts';
import { missingProgram } from './command/capabilities.ts';
import { planCommand } from './command/launch.ts';
import { commandReader } from './command/parse.ts';
import { interactiveCommand } from './interactive.ts';
import { recordingDriver } from './record/driver.ts';
import { missingCassette } from './replay/capabilities.ts';
import { planReplay } from './replay/launch.ts';
import { replayReader } from './replay/parse.ts';

export interface DriverPaths {
  readonly projectDir: string;
  /** The PATH that agents will see. */
  readonly searchPath: string;
}

/** What the operator's own configuration runs: which files of a repository that reads, nobody here knows. */
const obeysNobody = { obeys: [], restrains: false } as const;

type DriverChoice = Pick<Config, 'drivers'> & Partial<Pick<Config, 'withheld'>>;

/** The driver of that name. Whether its program is there is another question: a log is read without it. */
export function driverOf(
  name: string,
  config: DriverChoice,
  paths: DriverPaths,
): Result<AgentDriver, Failure> {
  const found = Object.hasOwn(config.drivers, name) ? config.drivers[name] : undefined;
  if (found === undefined) return err(unknownDriver(name, Object.keys(config.drivers)));
  if (config.withheld?.includes(name) === true) return err(withheldDriver(name));
  switch (found.type) {
    case 'command':
      return ok({
        name,
        steering: found.input === 'stream' ? 'input' : 'none',
        resumes: false,
        tellsTools: false,
        ...obeysNobody,
        missing: () => missingProgram(found, paths.projectDir, paths.searchPath),
        plan: (spec, place) => planCommand(found, spec, place),
        interactive: (spec, place) => interactiveCommand(found, spec, place),
        reader: commandReader,
      });
    case 'replay':
      return ok({
        name,
        steering: 'none',
        resumes: false,
        tellsTools: true,
        tellsUsage: 'cost',
        ...obeysNobody,
        missing: () => missingCassette(found.cassette),
        plan: (spec) => planReplay(found.cassette, spec),
        interactive: () => null,
        reader: replayReader,
      });
    case 'record':
      return recorderOf(name, found, config, paths);
    case 'claude':
      return ok({
        name,
        steering: 'none',
        ...(found.asks === true ? { asks: true as const } : {}),
        resumes: true,
        tellsTools: true,
        tellsUsage: 'cost',
        reads: { instructions: 'claude', skills: ['.claude/skills'] },
        obeys: ['claude'],
        restrains: true,
        signInAdvice: claudeSignIn,
        permissionSetting: 'allowed_tools',
        missing: () => missingClaude(found, paths.projectDir, paths.searchPath),
        bindsResult: owedSchema,
        plan: (spec, place) => planClaude(found, spec, place),
        interactive: (spec, place) => interactiveClaude(found, spec, place),
        reader: claudeReader,
      });
    case 'codex':
      return ok({
        name,
        steering: 'none',
        resumes: true,
        tellsTools: true,
        tellsUsage: 'tokens',
        usageSpan: 'conversation',
        reads: { instructions: 'AGENTS.md', skills: ['.agents/skills'] },
        obeys: ['codex'],
        restrains: true,
        signInAdvice: codexSignIn,
        permissionSetting: 'sandbox',
        missing: () => missingCodex(found, paths.projectDir, paths.searchPath),
        bindsResult: codexSchema,
        plan: (spec, place) => planCodex(found, spec, place),
        interactive: () => null,
        reader: () => codexReader(found.sandbox ?? 'workspace-write'),
      });
    case 'acp':
      return ok(acpDriver(name, found, paths));
    default:
      return unreachable(found);
  }
}

function acpDriver(name: string, found: AcpDriver, paths: DriverPaths): AgentDriver {
  return {
    name,
    steering: 'input',
    asks: true,
    resumes: true,
    tellsTools: true,
    tellsUsage: usageOf(found),
    reads: readingOf(found),
    ...restraintOf(found, paths.projectDir),
    ...signInOf(found),
    permissionSetting: 'permissions',
    missing: () => missingAcpAgent(found, paths.projectDir, paths.searchPath),
    plan: (spec, place) => planAcp(found, spec, place),
    interactive: () => null,
    reader: acpReader,
  };
}

/** A recorder of a recorder would write each turn twice, and one of itself would never end. */
function recorderOf(
  name: string,
  { driver, cassette }: Extract<DriverForm, { type: 'record' }>,
  config: DriverChoice,
  paths: DriverPaths,
): Result<AgentDriver, Failure> {
  const inner = Object.hasOwn(config.drivers, driver) ? config.drivers[driver] : undefined;
  if (inner?.type === 'record') {
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
  return `tutti.yaml names no driver, and none of ${names} is on PATH; install one: ${installs}`;
}
