import type { CodexDriver } from '../../model/codex.ts';
import { type DriverDefinition, noInterface } from '../driver-definition.ts';
import { missingCli } from '../missing-cli.ts';
import { codexCli } from './cli.ts';
import { codexSchema, planCodex } from './launch.ts';
import { codexReader } from './parse.ts';
import { hasOwnProvider } from './provider.ts';

export function defineCodex(config: CodexDriver): DriverDefinition {
  const { name, models, install, repository, signIn } = codexCli;
  const { program } = config;
  return {
    cli: { cli: codexCli, program, isBridge: false, install },
    program: { kind: 'cli', hasOwnSandbox: config.sandbox !== 'danger-full-access', deniesCommands: false },
    commands: [[program]],
    files: [],
    settings: config.config,
    defaultModels: (env, home) => (hasOwnProvider(config, env, home) ? {} : models),
    agent: (driver, paths) => ({
      name: driver,
      steering: 'none',
      resumes: true,
      tellsTools: true,
      tellsUsage: 'tokens',
      usageSpan: 'conversation',
      reads: repository.reads,
      obeys: [name],
      restrains: true,
      signInAdvice: signIn.advice,
      permissionSetting: 'sandbox',
      missing: () => missingCli(program, install, paths),
      bindsResult: codexSchema,
      plan: (spec, place) => planCodex(config, spec, place),
      interactive: () => null,
      reader: () => codexReader(config.sandbox ?? 'workspace-write'),
    }),
    interfaceProblem: noInterface,
    resumeCommand: (conversation) => [program, 'resume', conversation],
  };
}
