import { agentClis } from '../../model/agent-clis.ts';
import type { AgentDriver } from '../../model/driver.ts';
import type { Restraint } from '../../model/trust.ts';
import { programPath } from '../command/launch.ts';
import {
  type CliUse,
  type DriverDefinition,
  type DriverPaths,
  unknownProgram,
} from '../driver-definition.ts';
import { missingCli } from '../missing-cli.ts';
import { planAcp, tellsUsage } from './launch.ts';
import { acpReader } from './parse.ts';
import type { AcpSetup, KnownAgent } from './setup.ts';

export function defineAcp(setup: AcpSetup): DriverDefinition {
  const { agent } = setup;
  const shared = { agent: (name: string, paths: DriverPaths) => acpDriver(name, setup, paths) };
  if ('command' in agent) {
    return {
      ...unknownProgram,
      ...shared,
      program: { kind: 'program', obeysTools: true },
      commands: [agent.command],
    };
  }
  const { preset, program } = agent;
  const use = useOf(agent);
  const resume = preset.resumeCommand;
  return {
    ...unknownProgram,
    ...shared,
    cli: use,
    program: { kind: 'cli', hasOwnSandbox: preset.hasOwnSandbox, deniesCommands: true },
    commands: [[program]],
    // A bridge names models in its own way.
    defaultModels: () => (use.isBridge ? {} : use.cli.models),
    ...(resume === undefined
      ? {}
      : { resumeCommand: (conversation: string) => resume(program, conversation) }),
  };
}

function useOf({ preset, cli, program }: KnownAgent): CliUse {
  return { cli, program, isBridge: preset.program !== cli.name, install: preset.install };
}

function acpDriver(name: string, setup: AcpSetup, paths: DriverPaths): AgentDriver {
  const { agent } = setup;
  const known = 'command' in agent ? null : agent;
  return {
    name,
    steering: 'input',
    asks: true,
    resumes: true,
    tellsTools: true,
    tellsUsage: tellsUsage(setup),
    // What an agent that is not known finds by itself is not known either.
    reads: known === null ? { instructions: 'none', skills: [] } : known.cli.repository.reads,
    ...restraintOf(setup, paths.projectDir),
    ...(known === null ? {} : { signInAdvice: known.cli.signIn.advice }),
    permissionSetting: 'permissions',
    missing: () =>
      'command' in agent
        ? missingCli(agent.command[0], 'install it', paths)
        : missingCli(agent.program, agent.preset.install, paths),
    plan: (spec, place) => planAcp(setup, spec, place),
    interactive: () => null,
    reader: acpReader,
  };
}

/** An agent that is not known may take settings from anybody's files. */
function restraintOf({ agent }: AcpSetup, projectDir: string): Restraint {
  if ('command' in agent) return { obeys: agentClis, restrains: false };
  const { preset, cli, program } = agent;
  if (preset.trust === null) return { obeys: [cli.name], restrains: false };
  const restrainedSince = { program: programPath(program, projectDir), version: preset.trust.since };
  return { obeys: [cli.name], restrains: true, restrainedSince };
}
